//! The streams: stdout is data, stderr is for people.
#![expect(clippy::disallowed_methods, reason = "this is where the streams are written")]

use super::exit::Exit;
use crate::cli::{Color, Global};
use crate::finding::{Finding, Severity, Sources};
use crate::render;
use anstream::{AutoStream, ColorChoice};
use std::io::{self, ErrorKind, Write};

/// How a run talks.
#[derive(Debug)]
pub struct Output {
    color: ColorChoice,
    verbose: bool,
    quiet: bool,
}

impl Output {
    /// As the command line asks for it.
    pub fn new(global: &Global) -> Self {
        let color = match global.color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        Self { color, verbose: global.verbose, quiet: global.quiet }
    }

    /// Writes data, byte for byte.
    pub fn data(&self, text: &str) -> Result<(), NotWritten> {
        write(io::stdout().lock(), text)
    }

    /// Writes a plan's text, in colour where that is wanted and understood.
    pub fn plan(&self, text: &str) -> Result<(), NotWritten> {
        if self.colours(&io::stdout()) { write(AutoStream::new(io::stdout().lock(), self.color), &render::colour::coloured(text)) } else { self.data(text) }
    }

    /// Tells people a line.
    pub fn tell(&self, line: &str) {
        // Where nobody can be told, there is nobody to tell that to.
        drop(write(AutoStream::new(io::stderr().lock(), self.color), &format!("{line}\n")));
    }

    /// Tells people a line that only they want who asked for more.
    pub fn tell_more(&self, line: &str) {
        if self.verbose {
            self.tell(line);
        }
    }

    /// Tells people findings, with excerpts; errors only where that was asked for.
    pub fn findings<'a>(&self, findings: impl IntoIterator<Item = &'a Finding>, sources: &Sources) {
        let wanted = findings.into_iter().filter(|finding| !self.quiet || finding.severity == Severity::Error);
        let text = render::findings::report(wanted, sources, self.colours(&io::stderr()));
        drop(write(AutoStream::new(io::stderr().lock(), self.color), &text));
    }

    /// How a run ends whose data is written, or could not be.
    pub fn finished(&self, written: Result<(), NotWritten>, exit: Exit) -> Exit {
        written.map_or_else(|error| self.failed(&error), |()| exit)
    }

    /// How a run ends that met an error which is nobody's input.
    pub fn failed(&self, error: &dyn std::error::Error) -> Exit {
        self.tell(&format!("error: {error}"));
        Exit::Unexpected
    }

    fn colours(&self, stream: &impl anstream::stream::RawStream) -> bool {
        match self.color {
            ColorChoice::Auto => AutoStream::choice(stream) != ColorChoice::Never,
            ColorChoice::Always | ColorChoice::AlwaysAnsi => true,
            ColorChoice::Never => false,
        }
    }
}

/// Writes all of it. A reader that has seen enough, such as `head`, is no error.
fn write(mut stream: impl Write, text: &str) -> Result<(), NotWritten> {
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(NotWritten(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// stdout took no more, for another reason than a reader that has seen enough.
#[derive(Debug, thiserror::Error)]
#[error("the output cannot be written: {0}")]
pub struct NotWritten(io::Error);
