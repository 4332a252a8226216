//! `callees`: what a definition calls.

use anyhow::Result;

use crate::cli;
use crate::commands::Run;
use crate::exit::Exit;
use crate::graph::query::reach::Way;

pub fn run(run: Run<'_>, arguments: &cli::Near) -> Result<Exit> {
    super::callers::steps(run, arguments, Way::Out)
}
