//! Build constraints, in a file's head and in its name: whether a file is left out on the usual platform, so that its calls do not run beside those of the file
//! that takes its place. Which platform that is must not depend on where this runs: it is Linux on amd64, without cgo and
//! without tags of one's own.

use crate::graph::facts::{Facts, flag};

/// What holds on the usual platform, besides versions of the language.
const HOLDS: &[&str] = &["linux", "unix", "amd64", "gc"];

/// What a file's name may end with, `_test` taken off.
const SYSTEMS: &[&str] = &[
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "js",
    "linux",
    "nacl",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "zos",
];
const MACHINES: &[&str] = &[
    "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64",
    "ppc64le", "riscv64", "s390x", "sparc64", "wasm",
];

/// Whether a file's name, or what its head says, leaves it out.
pub fn elsewhere(path: &str, facts: &Facts) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.strip_suffix(".go").unwrap_or(name);
    let stem = stem.strip_suffix("_test").unwrap_or(stem);
    let mut parts = stem
        .split('_')
        .skip(1)
        .collect::<Vec<_>>()
        .into_iter()
        .rev();
    let mut last = parts.next();
    let machine = last.filter(|part| MACHINES.contains(part));
    if machine.is_some() {
        last = parts.next();
    }
    let system = last.filter(|part| SYSTEMS.contains(part));
    let named = machine.into_iter().chain(system);
    let excluded = facts.defs.first().is_some_and(|def| def.is(flag::DEAD));
    excluded || named.into_iter().any(|part| !HOLDS.contains(&part))
}

/// Whether the constraints at the top of a file leave it out.
pub fn is_excluded(text: &[u8]) -> bool {
    let lines = text.split(|&byte| byte == b'\n');
    let lines = lines.map(|line| std::str::from_utf8(line).unwrap_or("").trim());
    let head = lines.take_while(|line| line.is_empty() || line.starts_with("//"));
    let (mut old, mut new) = (true, None);
    for line in head {
        if let Some(written) = line.strip_prefix("//go:build ") {
            new = Some(Constraint::new(written).either());
        } else if let Some(written) = line.trim_start_matches("//").trim().strip_prefix("+build ") {
            let mut options = written.split_whitespace();
            old &= options.any(|option| option.split(',').all(holds));
        }
    }
    !new.unwrap_or(old)
}

/// Whether a tag, or one with `!` in front, holds.
fn holds(tag: &str) -> bool {
    let bare = tag.trim_start_matches('!');
    let negated = (tag.len() - bare.len()) % 2 == 1;
    negated != (HOLDS.contains(&bare) || bare.starts_with("go1."))
}

/// What is left to read of a `//go:build` line.
struct Constraint<'a> {
    rest: &'a str,
    depth: u32,
}

impl<'a> Constraint<'a> {
    fn new(rest: &'a str) -> Constraint<'a> {
        Constraint { rest, depth: 0 }
    }

    fn eat(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn either(&mut self) -> bool {
        let mut value = self.both();
        while self.eat("||") {
            value |= self.both();
        }
        value
    }

    fn both(&mut self) -> bool {
        let mut value = self.one();
        while self.eat("&&") {
            value &= self.one();
        }
        value
    }

    fn one(&mut self) -> bool {
        let mut negated = false;
        while self.eat("!") {
            negated = !negated;
        }
        // Real ones nest once or twice.
        if self.depth < 50 && self.eat("(") {
            self.depth += 1;
            let value = self.either();
            self.depth -= 1;
            self.eat(")");
            return value != negated;
        }
        let end = |c: char| !(c.is_alphanumeric() || c == '_' || c == '.');
        let end = self.rest.find(end).unwrap_or(self.rest.len());
        let (tag, rest) = self.rest.split_at(end);
        self.rest = rest;
        holds(tag) != negated
    }
}

#[cfg(test)]
mod tests {
    use super::{elsewhere, is_excluded};
    use crate::graph::facts::Facts;

    #[test]
    fn names_are_read_as_the_go_command_reads_them() {
        for (path, excluded) in [
            ("a/b_windows.go", true),
            ("b_linux.go", false),
            ("b_linux_arm64.go", true),
            ("b_linux_amd64_test.go", false),
            ("b_plan9_test.go", true),
            ("windows.go", false),
            ("b_unix.go", false),
            ("windows_b.go", false),
            ("a_darwin/b.go", false),
        ] {
            assert_eq!(elsewhere(path, &Facts::default()), excluded, "{path}");
        }
    }

    #[test]
    fn constraints_are_read_as_the_go_command_reads_them() {
        for (head, excluded) in [
            ("", false),
            ("//go:build linux", false),
            ("//go:build windows", true),
            ("//go:build !windows && (amd64 || arm64)", false),
            ("//go:build !(linux || darwin)", true),
            ("//go:build ignore", true),
            ("//go:build cgo", true),
            ("//go:build go1.21 && !js", false),
            ("// +build windows darwin", true),
            ("// +build linux,386 darwin,!cgo", true),
            ("// +build linux,amd64", false),
            ("// +build linux\n// +build 386", true),
            (
                "// Copyright\n\n//go:build windows\n// +build windows",
                true,
            ),
            ("package a\n//go:build windows", false),
        ] {
            let text = format!("{head}\n\npackage a\n");
            assert_eq!(is_excluded(text.as_bytes()), excluded, "{head}");
        }
    }
}
