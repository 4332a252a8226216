//! `region`: exact lines, and what is said where they do not exist.

use crate::check::{check_run, program, root};

#[test]
fn lines_come_under_a_header_that_names_the_definition() {
    check_run("region", &["region", "src/notifier.py:13-15"]);
    check_run(
        "region-two",
        &["region", "src/notifier.py:5", "web/cart.ts#L10-L11"],
    );
    check_run("region-words", &["region", "src/notifier.py", "13", "15"]);
    check_run("region-numbers", &["region", "-n", "src/notifier.py:13-15"]);
    check_run(
        "region-context",
        &["region", "--context", "1", "src/notifier.py:13-15"],
    );
    check_run(
        "region-symbol",
        &["region", "--symbol", "Notifier.connect", "src/notifier.py"],
    );
    check_run(
        "region-json",
        &["region", "--json", "src/notifier.py:13-15"],
    );
}

#[test]
fn lines_that_are_not_there_are_said() {
    check_run("region-past-the-end", &["region", "src/notifier.py:27-99"]);
    check_run("region-wholly-past", &["region", "src/notifier.py:90-99"]);
    check_run("region-backwards", &["region", "src/notifier.py:9-3"]);
    check_run("region-no-lines", &["region", "src/notifier.py"]);
    check_run("region-missing", &["region", "src/missing.py:1-2"]);
    check_run(
        "region-missing-json",
        &["region", "--json", "src/missing.py:1-2"],
    );
    check_run(
        "region-symbol-missing",
        &["region", "--symbol", "nothing", "src/notifier.py"],
    );
}

/// `--raw` gives bytes: line ends, bytes that are no UTF-8, a last line without its end.
#[test]
fn raw_lines_are_the_bytes_of_the_file() {
    let folder = std::env::temp_dir().join(format!("ast-outline-region-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let bytes = b"one\r\ntwo \xe9\x00?\r\nthree".to_vec();
    let bytes: Vec<u8> = bytes.into_iter().filter(|&byte| byte != 0).collect();
    std::fs::write(folder.join("a.txt"), &bytes).expect("the file can be written");
    let output = program()
        .current_dir(&folder)
        .args(["region", "--raw", "a.txt:1-3"])
        .output()
        .expect("it runs");
    assert_eq!(output.stdout, bytes);
    let output = program()
        .current_dir(&folder)
        .args(["region", "--raw", "a.txt:2"])
        .output()
        .expect("it runs");
    assert_eq!(output.stdout, b"two \xe9?\r\n");
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

/// Every range of every fixture is what `sed -n` would print.
#[test]
fn regions_equal_the_lines_of_the_file() {
    let text =
        std::fs::read(root().join("fixtures/python/tour.py")).expect("the fixture can be read");
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    for (start, end) in [
        (1, 1),
        (1, lines.len()),
        (7, 20),
        (lines.len(), lines.len()),
    ] {
        let range = format!("fixtures/python/tour.py:{start}-{end}");
        let output = program()
            .args(["region", "--raw", &range])
            .output()
            .expect("it runs");
        assert_eq!(output.stdout, lines[start - 1..end].concat(), "{range}");
    }
}
