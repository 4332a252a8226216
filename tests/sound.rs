//! What holds for the outline of any file, however broken: definitions nest, come in order, lie in the file, have names.

use serde_json::Value;

/// What a file's outline does wrong, each with the definition it does it to. `text` are the bytes of the
/// file. Nothing is known of an answer that could not be read.
pub fn faults(file: &Value, text: &[u8]) -> Vec<String> {
    if file.is_null() {
        return vec![];
    }
    let starts = line_starts(text);
    let mut check = Check {
        text,
        // Bytes of a decoded file are not those of the text that was read.
        bytewise: !matches!(text, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]),
        utf8: std::str::from_utf8(text).ok(),
        starts: &starts,
        found: vec![],
    };
    let lines = file["lines"].as_u64().unwrap_or(0);
    if check.bytewise && lines != starts.len() as u64 {
        check.found.push(format!("counts {lines} lines"));
    }
    let whole = Span {
        lines: (1, lines.max(1)),
        bytes: (0, text.len() as u64),
    };
    check.level(&file["definitions"], &whole);
    for problem in file["problems"].as_array().into_iter().flatten() {
        let (start, end) = (number(problem, "start_line"), number(problem, "end_line"));
        if start == 0 || end < start || end > lines.max(1) {
            check.found.push(format!("problem lies outside: {problem}"));
        }
        if problem["kind"] == "timeout" {
            check.found.push("timeout: it was cut off".to_string());
        }
    }
    for import in file["imports"].as_array().into_iter().flatten() {
        if !(1..=lines).contains(&number(import, "line")) {
            check.found.push(format!("import lies outside: {import}"));
        }
    }
    check.found
}

struct Span {
    lines: (u64, u64),
    bytes: (u64, u64),
}

struct Check<'a> {
    text: &'a [u8],
    bytewise: bool,
    utf8: Option<&'a str>,
    starts: &'a [usize],
    found: Vec<String>,
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or(0)
}

fn line_starts(text: &[u8]) -> Vec<usize> {
    let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
    starts.filter(|&start| start < text.len()).collect()
}

impl Check<'_> {
    /// One level of definitions, inside of `outer`. No recursion deeper than what the parser of JSON takes.
    fn level(&mut self, level: &Value, outer: &Span) {
        let mut last: Option<(Span, u64)> = None;
        for item in level.as_array().into_iter().flatten() {
            let span = Span {
                lines: (number(item, "start_line"), number(item, "end_line")),
                bytes: (number(item, "start_byte"), number(item, "end_byte")),
            };
            let decl = number(item, "decl_line");
            let mut expect = |holds: bool, what: &str| {
                if !holds {
                    let (start, end) = span.lines;
                    let (from, until) = span.bytes;
                    let name = &item["qualname"];
                    let place = format!("{name} L{start}-{end} @{from}..{until}");
                    self.found.push(format!("{what}: {place}"));
                }
            };
            let (lines, bytes) = (span.lines, span.bytes);
            expect(
                outer.lines.0 <= lines.0 && lines.1 <= outer.lines.1,
                "lines lie outside of what is around",
            );
            expect(
                outer.bytes.0 <= bytes.0 && bytes.1 <= outer.bytes.1,
                "bytes lie outside of what is around",
            );
            expect(lines.0 <= decl && decl <= lines.1, "its name is not in it");
            expect(bytes.0 <= bytes.1, "ends before it begins");
            let named = |key: &str| item[key].as_str().is_some_and(|name| !name.is_empty());
            // `"": 1` has a key, `a,,b` a column and `#` a heading without a name.
            let nameless = matches!(item["kind"].as_str(), Some("key" | "column" | "heading"));
            expect(
                nameless || named("name") && named("qualname"),
                "has no name",
            );
            if let Some((last, last_decl)) = &last {
                // `var a = 1, f = function () {}, b = 2`: the function has a range of its own, the values share the whole.
                let ordered = bytes.0 >= last.bytes.0 || decl >= *last_decl;
                expect(ordered, "out of order");
                let apart = bytes.0 >= last.bytes.1
                    || bytes.1 <= last.bytes.1
                    || bytes.0 <= last.bytes.0 && bytes.1 >= last.bytes.1;
                expect(apart, "overlaps the one before");
            }
            if self.bytewise && bytes.1 <= self.text.len() as u64 && bytes.0 <= bytes.1 {
                let line = |byte: u64| self.starts.partition_point(|&at| at as u64 <= byte).max(1);
                let own = (
                    line(bytes.0) as u64,
                    line(bytes.1.max(bytes.0 + 1) - 1) as u64,
                );
                // A column has the lines of the whole header.
                let within = item["kind"] == "column" && lines.0 <= own.0 && own.1 <= lines.1;
                expect(within || own == lines, "lines are not those of its bytes");
                let whole = |byte: u64| {
                    self.utf8
                        .is_none_or(|text| text.is_char_boundary(byte as usize))
                };
                expect(whole(bytes.0) && whole(bytes.1), "cuts a character");
            }
            self.level(&item["children"], &span);
            last = Some((span, decl));
        }
    }
}
