//! `hook`: what a coding agent is told unasked, before it reads or searches, or when it starts. It must never stand in the
//! way: no decision about what the agent may do, no error, no wait. Where there is nothing to say, no index, an event that
//! cannot be read, a failure of any sort or no time left, it prints nothing and exits with 0.

mod claude;
mod session;

use std::sync::mpsc;
use std::time::Duration;

use anyhow::Result;

use super::Run;
use crate::cli;
use crate::exit::Exit;

/// `off` silences all hooks.
const SWITCH: &str = "AST_OUTLINE_HOOK";

pub fn run(run: Run<'_>, arguments: &cli::Hook) -> Result<Exit> {
    if std::env::var_os(SWITCH).is_some_and(|value| value == "off") {
        return Ok(Exit::Answered);
    }
    let said = match arguments.event {
        cli::HookEvent::Claude(cli::ClaudeHook { edit, deadline }) => {
            in_time(deadline, move || claude::answer(edit))
        }
        cli::HookEvent::Session(cli::SessionHook { deadline }) => {
            in_time(deadline, session::answer)
        }
    };
    if let Some(text) = said {
        writeln!(run.out, "{text}")?;
    }
    Ok(Exit::Answered)
}

/// What a question answers, if it does so in time and without a fault. It goes on behind our back, if at all, for as long
/// as the rest of the run takes.
fn in_time(
    deadline: Duration,
    ask: impl FnOnce() -> Option<String> + Send + 'static,
) -> Option<String> {
    if deadline.is_zero() {
        return None;
    }
    // A fault is silence, too.
    std::panic::set_hook(Box::new(|_| {}));
    let (send, receive) = mpsc::sync_channel(1);
    // The other end may have given up.
    let ask = move || drop(send.send(ask()));
    std::thread::Builder::new().spawn(ask).ok()?;
    receive.recv_timeout(deadline).ok().flatten()
}
