//! Objects by name, through one `git cat-file --batch` a run that starts with the first question.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use super::{Repository, bytes_to_path};

/// Larger objects are taken for missing: sources of that size are not read either.
const LARGEST: u64 = u32::MAX as u64;

/// Why there is no object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Miss {
    /// Not there, of another kind, or git cannot be asked.
    Unknown,
    /// The name is the beginning of several.
    Ambiguous,
}

/// A reader of objects.
pub struct Objects {
    repository: Option<Repository>,
    pipe: Option<Pipe>,
}

struct Pipe {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

struct Object {
    id: String,
    kind: String,
    bytes: Vec<u8>,
}

impl Objects {
    /// Starts nothing yet; without a repository nothing is known.
    pub fn new(repository: Option<Repository>) -> Objects {
        Objects {
            repository,
            pipe: None,
        }
    }

    /// The full id of a commit, by the beginning of its id.
    ///
    /// # Errors
    /// A [`Miss`].
    pub fn commit(&mut self, beginning: &str) -> Result<String, Miss> {
        let found = self.ask(&format!("{beginning}^{{commit}}"));
        match found {
            // A branch may have a name of hex digits; it is not what was meant.
            Ok(object) if object.kind == "commit" && object.id.starts_with(beginning) => {
                Ok(object.id)
            }
            Ok(_) => Err(Miss::Unknown),
            // Git says `missing` to `ID^{commit}` even where two commits begin so.
            Err(Miss::Unknown) => match self.ask(beginning) {
                Err(Miss::Ambiguous) => Err(Miss::Ambiguous),
                _ => Err(Miss::Unknown),
            },
            Err(miss) => Err(miss),
        }
    }

    /// The full id of a commit that a revision names, such as `HEAD~3` or a tag.
    pub fn revision(&mut self, name: &str) -> Option<String> {
        let plain = !name.is_empty() && !name.chars().any(|c| c.is_control() || c == ' ');
        let object = self.ask(&format!("{name}^{{commit}}"));
        object.ok().filter(|_| plain).map(|object| object.id)
    }

    /// The bytes of a blob, by its id or the beginning of one.
    ///
    /// # Errors
    /// A [`Miss`].
    pub fn blob(&mut self, id: &str) -> Result<Vec<u8>, Miss> {
        let object = self.ask(id)?;
        let is_blob = object.kind == "blob" && object.id.starts_with(id);
        is_blob.then_some(object.bytes).ok_or(Miss::Unknown)
    }

    /// The bytes of a file at a commit.
    pub fn file(&mut self, commit: &str, path: &[u8]) -> Option<Vec<u8>> {
        (!path.is_empty()).then_some(())?;
        // A line break would be a question of its own; nothing else is special behind the colon.
        let name = match std::str::from_utf8(path) {
            Ok(path) if !path.contains('\n') => format!("{commit}:{path}"),
            _ => self.id_of(commit, path)?,
        };
        let object = self.ask(&name).ok()?;
        (object.kind == "blob").then_some(object.bytes)
    }

    /// The id of a file whose path is no line of text, from a run of git of its own.
    fn id_of(&self, commit: &str, path: &[u8]) -> Option<String> {
        let mut name = std::ffi::OsString::from(format!("{commit}:"));
        name.push(bytes_to_path(path));
        let mut command = self.repository.as_ref()?.command();
        command.args(["rev-parse", "--verify", "--quiet"]).arg(name);
        let output = command.output().ok()?;
        output.status.success().then_some(())?;
        Some(
            String::from_utf8(output.stdout)
                .ok()?
                .trim_end()
                .to_string(),
        )
    }

    /// Whether a commit has a folder at a path.
    pub fn folder(&mut self, commit: &str, path: &[u8]) -> bool {
        let path = String::from_utf8_lossy(path).into_owned();
        let object = self.ask(&format!("{commit}:{path}"));
        object.is_ok_and(|object| object.kind == "tree")
    }

    fn ask(&mut self, name: &str) -> Result<Object, Miss> {
        if self.pipe.is_none() {
            self.pipe = self.repository.as_ref().and_then(open);
        }
        if name.contains('\n') {
            return Err(Miss::Unknown);
        }
        let answer = self.pipe.as_mut().map(|pipe| pipe.ask(name));
        match answer {
            Some(Ok(answer)) => answer,
            // Git is gone, or was never there: not asked again.
            Some(Err(_)) | None => {
                (self.pipe, self.repository) = (None, None);
                Err(Miss::Unknown)
            }
        }
    }
}

fn open(repository: &Repository) -> Option<Pipe> {
    repository.is_real().then_some(())?;
    let mut command = repository.command();
    command.args(["cat-file", "--batch"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().ok()?;
    let (questions, answers) = (child.stdin.take()?, child.stdout.take()?);
    Some(Pipe {
        child,
        questions: Some(questions),
        answers: BufReader::new(answers),
    })
}

impl Pipe {
    fn ask(&mut self, name: &str) -> io::Result<Result<Object, Miss>> {
        let mut questions = self.questions.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(questions, "{name}")?;
        let mut head = vec![];
        self.answers.read_until(b'\n', &mut head)?;
        let head = String::from_utf8_lossy(&head);
        let head = head
            .strip_suffix('\n')
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        let words: Vec<&str> = head.rsplitn(3, ' ').collect();
        let &[size, kind, id] = words.as_slice() else {
            return Ok(Err(miss(head)));
        };
        let size: u64 = match size.parse() {
            Ok(size) if id.bytes().all(|byte| byte.is_ascii_hexdigit()) => size,
            _ => return Ok(Err(miss(head))),
        };
        if size > LARGEST {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let mut bytes = vec![];
        self.answers
            .by_ref()
            .take(size + 1)
            .read_to_end(&mut bytes)?;
        if bytes.len() as u64 != size + 1 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.pop();
        Ok(Ok(Object {
            id: id.to_string(),
            kind: kind.to_string(),
            bytes,
        }))
    }
}

fn miss(answer: &str) -> Miss {
    match answer.ends_with(" ambiguous") {
        true => Miss::Ambiguous,
        false => Miss::Unknown,
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // Git ends with its questions.
        self.questions = None;
        let _ = self.child.wait();
    }
}
