//! One integration binary: every test runs the built program, and every golden answer goes through `check()`.

mod broken;
mod cache;
mod check;
mod fixtures;
mod folder;
mod help;
mod input;
mod json;
mod limits;
mod outline;
mod readme;
mod region;
mod symbol;
mod tidy;
mod tokens;
