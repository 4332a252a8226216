//! One integration binary: every test runs the built program, and every golden answer goes through `check()`.

mod batch;
mod broken;
mod budget;
mod cache;
mod check;
mod edits;
mod evidence;
mod fits;
mod fixtures;
mod folder;
mod help;
mod input;
mod json;
mod limits;
mod mangle;
mod outline;
mod read;
mod readme;
mod region;
mod relocate;
mod robust;
mod search;
mod sound;
mod symbol;
mod tidy;
mod tokens;
