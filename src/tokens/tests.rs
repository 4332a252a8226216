//! Counts against tiktoken's. What takes long - thousands of files - is `cargo bench --bench tokens`.

use std::path::{Path, PathBuf};

use tiktoken_rs::{CoreBPE, cl100k_base_singleton, o200k_base_singleton};

use super::Tokenizer;
use super::vocabulary::{CL100K, O200K, Scratch};

const EXACT: [Tokenizer; 2] = [Tokenizer::O200k, Tokenizer::Cl100k];

fn reference(tokenizer: Tokenizer) -> &'static CoreBPE {
    match tokenizer {
        Tokenizer::Cl100k => cl100k_base_singleton(),
        _ => o200k_base_singleton(),
    }
}

fn check(text: &[u8], name: &str) {
    for tokenizer in EXACT {
        let wanted = reference(tokenizer).count_ordinary(&String::from_utf8_lossy(text));
        let got = tokenizer.count(text);
        assert_eq!(got, wanted, "{tokenizer}: {name}");
    }
}

/// The same numbers in every run: a failure can be looked at.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }

    fn string(&mut self, parts: &[&str], length: usize) -> String {
        (0..length)
            .map(|_| parts[self.below(parts.len())])
            .collect()
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the fixtures can be read") {
        let path = entry.expect("the fixtures can be read").path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn every_fixture_counts_as_in_tiktoken() {
    let mut found = vec![];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["fixtures", "src", "queries", "tests"] {
        files(&root.join(folder), &mut found);
    }
    for path in &found {
        let text = std::fs::read(path).expect("the fixtures can be read");
        check(&text, &path.display().to_string());
    }
    assert!(found.len() > 100);
}

/// One of each class of characters, and what the expressions name.
const ALPHABET: &[&str] = &[
    "a",
    "b",
    "s",
    "t",
    "re",
    "ve",
    "ll",
    "don",
    "A",
    "B",
    "S",
    "LL",
    "Z",
    "0",
    "7",
    "42",
    "\u{b2}",
    "\u{2167}",
    "\u{663}",
    " ",
    " ",
    "  ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\u{b}",
    "\u{c}",
    "\u{85}",
    "\u{a0}",
    "\u{3000}",
    "\u{2028}",
    "'",
    "'s",
    "'S",
    "'ll",
    "'\u{17f}",
    "\u{17f}",
    "\u{212a}",
    ".",
    ",",
    "=",
    "(",
    ")",
    "{",
    "}",
    "/",
    "//",
    "_",
    "-",
    "\"",
    "<",
    "\0",
    "\u{1f}",
    "\u{1c5}",
    "\u{2b0}",
    "\u{5d0}",
    "\u{6f22}",
    "\u{5b57}",
    "\u{3042}",
    "\u{ac00}",
    "\u{301}",
    "\u{903}",
    "\u{20dd}",
    "\u{fe0f}",
    "\u{200d}",
    "\u{200b}",
    "\u{feff}",
    "\u{fffd}",
    "é",
    "ß",
    "Ж",
    "ж",
    "Ω",
    "\u{1f600}",
    "\u{1f468}",
    "\u{10400}",
    "\u{10428}",
    "\u{e000}",
    "\u{10ffff}",
    "€",
    "—",
    "\u{ad}",
    "\u{378}",
];

#[test]
fn random_strings_count_as_in_tiktoken() {
    let mut random = Random(1);
    for length in (1..40).cycle().take(4000) {
        let text = random.string(ALPHABET, length);
        check(text.as_bytes(), &format!("{text:?}"));
    }
}

/// Characters of all planes, among them what no version of Unicode has named yet.
#[test]
fn every_class_of_characters_is_the_one_of_the_expressions() {
    let mut random = Random(2);
    for _ in 0..600 {
        let code = |random: &mut Random| match random.below(4) {
            0 => random.below(0x3000),
            1 => random.below(0x1_0000),
            2 => 0x1_0000 + random.below(0x2_0000),
            _ => random.below(0x80),
        };
        let chars = (0..60).filter_map(|_| char::from_u32(code(&mut random) as u32));
        let text: String = chars.collect();
        check(text.as_bytes(), &format!("{text:?}"));
    }
}

/// What the expressions do by going back, and what stands at the end of a text.
#[test]
fn what_expressions_go_back_for() {
    let texts = [
        "ABCdef ABC",
        "ABC\u{301}DEF",
        "\u{301}\u{301}a",
        "\u{301}",
        " \u{301}",
        " \u{301}A",
        "A\u{5d0}BC",
        "\u{5d0}AB",
        "HTTPServer's",
        "it's IT'S it'\u{17f} 's 'll'll 'x",
        "a  b",
        "a   ",
        "   ",
        "\n",
        "a\n \n  b",
        "a \n ",
        "\n  ",
        "\t\tx",
        "\r\n\r\n x",
        "x //\n/\n",
        " ==\n\n/x",
        "==/",
        "1234567",
        "\u{b2}\u{b2}\u{b2}\u{b2}",
        "a\u{a0}b",
        "\u{a0} \u{a0}",
        "a\u{2028}\n",
        "",
        "<|endoftext|>",
        "{\n    \"a\": [1, 2],\n}",
        "日本語のテキスト、です。",
        "नमस्ते दुनिया",
        "Ǆ ǅ ǆ ǅa",
    ];
    for text in texts {
        check(text.as_bytes(), text);
    }
}

#[test]
fn bytes_that_are_not_utf8_count_as_what_is_shown_for_them() {
    for text in [
        &b"a\xffb"[..],
        b"\xff",
        b"caf\xe9 au lait\n",
        b"\xe6\xbc",
        b"\xf0\x9f\x98 x",
        b"\x80\x80\n\xc0",
    ] {
        check(text, &format!("{text:?}"));
    }
}

#[test]
fn every_token_is_one_token() {
    for (vocabulary, tokenizer, size) in [
        (&O200K, Tokenizer::O200k, 199_998),
        (&CL100K, Tokenizer::Cl100k, 100_256),
    ] {
        let mut scratch = Scratch::default();
        for rank in 0..size {
            let token = reference(tokenizer)
                .decode_bytes(&[rank])
                .expect("ranks are dense");
            assert_eq!(vocabulary.count(&token, &mut scratch), (1, rank));
            // Merging it from its bytes gives it, too, and never a pair of a lower rank than the last: long pieces rest on that.
            if rank % 499 == 0 {
                assert_eq!(
                    vocabulary.long(&token, 1 << 15, &mut scratch),
                    1,
                    "{token:?}"
                );
            }
        }
    }
}

/// Where windows meet, the tokens must be those of the whole, whatever the text.
#[test]
fn windows_change_no_count() {
    let alphabets: [&[&str]; 5] = [
        &["a"],
        &["a", "b"],
        &["e", "t", "a", "o", "in", "er", "on", "the"],
        &["漢", "字", "語", "的", "一"],
        &[
            "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q",
            "r", "s", "t",
        ],
    ];
    let mut random = Random(3);
    let mut scratch = Scratch::default();
    for round in 0..50 {
        let length = 100 + random.below(500);
        let text = random.string(alphabets[round % alphabets.len()], length);
        for (vocabulary, tokenizer) in [(&O200K, Tokenizer::O200k), (&CL100K, Tokenizer::Cl100k)] {
            let wanted = reference(tokenizer).count_ordinary(&text);
            for window in [24, 200, 1 << 15] {
                let got = vocabulary.long(text.as_bytes(), window, &mut scratch);
                assert_eq!(got, wanted, "{tokenizer} in windows of {window}: {text}");
            }
        }
    }
}

/// Searching all pairs for each merge took a second for 50,000 of one character; these would take ten.
#[test]
fn long_runs_of_one_character_are_merged_in_time() {
    for run in ["a", "=", " ", "\n", "漢", "😀"] {
        check(run.repeat(60_000).as_bytes(), run);
    }
}

#[test]
fn names_are_read_as_they_are_printed() {
    for tokenizer in Tokenizer::ALL {
        assert_eq!(Tokenizer::from_name(tokenizer.name()), Some(tokenizer));
        assert_eq!(tokenizer.error().is_some(), tokenizer.name().ends_with('~'));
    }
    assert_eq!(Tokenizer::from_name("claude"), Some(Tokenizer::Claude));
    for name in ["", "~", "O200K", "gpt2", "o200k_base"] {
        assert_eq!(Tokenizer::from_name(name), None, "{name}");
    }
}

/// Counts of the reference, by content.
const CLAUDE: [(&str, usize); 6] = [
    (
        r#"def send(self, to: List[str], subject: str, body: str) -> int:
    """Sends one message to each address and says how many arrived."""
    if not self.connected:
        raise NotConnectedError(f"no session with {self.smtp_host}")
    return sum(self._deliver(address, subject, body) for address in to)
"#,
        104,
    ),
    (
        r#"#ifndef HTTP_STATUS_CODES_H
#define HTTP_STATUS_CODES_H
#define HTTP_STATUS_NOT_FOUND 404
#define HTTP_STATUS_INTERNAL_SERVER_ERROR 500
static const char *STATUS_NAMES[] = {"NOT_FOUND", "INTERNAL_SERVER_ERROR", NULL};
#endif /* HTTP_STATUS_CODES_H */
"#,
        164,
    ),
    (
        r#"Certificates are renewed by hand, once a year, before the last week of March. Whoever does it writes the new date
into the calendar, restarts the two gateways one after the other, and looks at the dashboard until both are green again.
"#,
        69,
    ),
    (
        r#"## src/notifier.py (python, 28 lines, 6 definitions, version 8c2524491398, view docs)
imports: smtplib, typing.List
EMAIL_TEMPLATE = "hello {name}"  L5
class Notifier  L7-24
  def __init__(self, smtp_host: str)  L8-11
  def connect(self) -> bool  L13-15  # Opens the SMTP session.
"#,
        137,
    ),
    (
        r#"{"id": 1048576, "name": "gateway-2", "ports": [80, 443, 8080], "checksum": "9f2c1de4a1b2c3d4e5f60718"}
{"id": 1048577, "name": "gateway-3", "ports": [80, 443, 8081], "checksum": "00ffb2aa91c3d4e5f6071829"}
"#,
        121,
    ),
    (
        r#"Сертификаты обновляют вручную раз в год, до последней недели марта.
証明書は毎年手作業で更新します。三月の最終週までに終えてください。
"#,
        55,
    ),
];

#[test]
fn the_estimate_keeps_its_band() {
    let band = Tokenizer::Claude.error().expect("it is an estimate");
    for (text, wanted) in CLAUDE {
        let error = Tokenizer::Claude.count(text.as_bytes()) as f32 / wanted as f32 - 1.0;
        let high = if text.is_ascii() { band.high } else { 1.0 };
        assert!(band.low <= error && error <= high, "off by {error}: {text}");
    }
    assert_eq!(Tokenizer::Claude.count(b""), 0);
}
