//! One integration binary: every test runs the built program, and every golden answer goes through `check()`.

mod broken;
mod cache;
mod check;
mod evidence;
mod fixtures;
mod folder;
mod help;
mod input;
mod json;
mod limits;
mod outline;
mod readme;
mod region;
mod relocate;
mod symbol;
mod tidy;
