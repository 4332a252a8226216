//! One integration binary: every test runs the built program, and every golden answer goes through `check()`.

mod batch;
mod broken;
mod cache;
mod check;
mod diff;
mod edits;
mod evidence;
mod fixtures;
mod folder;
mod help;
mod input;
mod json;
mod limits;
mod mangle;
mod outline;
mod readme;
mod region;
mod relocate;
mod robust;
mod sound;
mod symbol;
mod tidy;
mod tokens;
