//! One integration binary: every test runs the built program, and every golden answer goes through `check()`.

mod broken;
mod check;
mod fixtures;
mod help;
mod input;
mod json;
mod outline;
mod readme;
mod region;
mod symbol;
mod tidy;
