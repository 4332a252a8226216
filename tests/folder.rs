//! A folder of its own for a test, gone when the test is over.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::check::program;

pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("ast-outline-test-{}-{number}", std::process::id());
        // The temporary folder may lie behind a link; the program prints real paths.
        let parent = std::fs::canonicalize(std::env::temp_dir()).expect("there is one");
        let path = parent.join(name);
        std::fs::create_dir_all(&path).expect("it can be made");
        Folder(path)
    }

    /// A folder that looks like the root of a repository.
    pub fn repository() -> Folder {
        let folder = Folder::new();
        std::fs::create_dir(folder.at(".git")).expect("it can be made");
        folder
    }

    /// Git in a folder, with nothing of the user's settings, at the beginning of 2026.
    pub fn git(path: &Path, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .arg("-C")
            .arg(path)
            .args(["-c", "core.autocrlf=false"])
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_NAME", "Cleo")
            .env("GIT_AUTHOR_EMAIL", "cleo@example.org")
            .env("GIT_AUTHOR_DATE", "1767225600 +0000")
            .env("GIT_COMMITTER_NAME", "Cleo")
            .env("GIT_COMMITTER_EMAIL", "cleo@example.org")
            .env("GIT_COMMITTER_DATE", "1767225600 +0000")
            .output()
            .expect("these tests need git");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {errors}");
        String::from_utf8_lossy(&output.stdout)
            .trim_end()
            .to_string()
    }

    /// Makes a folder a repository, if it is none, and commits all there is; the id.
    pub fn commit(path: &Path, message: &str) -> String {
        if !path.join(".git").exists() {
            Folder::git(path, &["init", "-q", "--object-format=sha1"]);
        }
        Folder::git(path, &["add", "-A"]);
        Folder::git(path, &["commit", "-q", "-m", message]);
        Folder::git(path, &["rev-parse", "HEAD"])
    }

    /// Copies a folder of fixtures to `name`.
    pub fn copy(&self, from: &Path, name: &str) {
        for entry in std::fs::read_dir(from).expect("fixtures exist") {
            let path = entry.expect("the folder can be read").path();
            let file = path.file_name().expect("it has a name").to_string_lossy();
            let target = format!("{name}/{file}");
            match path.is_dir() {
                true => self.copy(&path, &target),
                false => drop(self.write(&target, std::fs::read(&path).expect("it is a file"))),
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.at(name);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))
            .expect("it can be made");
        std::fs::write(&path, text).expect("it can be written");
        path
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program();
        command.current_dir(&self.0).args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments)
            .output()
            .expect("the program was built for this test")
    }

    /// Standard output of a run in this folder that must succeed.
    pub fn stdout(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?} failed: {errors}");
        String::from_utf8(output.stdout).expect("answers are UTF-8")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
