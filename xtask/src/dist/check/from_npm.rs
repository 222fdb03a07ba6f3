//! The npm packages in an empty home: from both files without any registry, and from the one file that a person names, with a
//! registry on this machine that has the platform's package.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::{Release, work_by};
use crate::dist::{VERSION, npm};
use crate::workspace;

/// An address at which nothing answers.
const NOBODY: &str = "http://127.0.0.1:9/";

pub(super) fn run(release: &Release, root: &Path) -> Result<()> {
    let packed = npm::packed(release)?;
    let (main, platform) = (packed.main.display().to_string(), packed.platform.display().to_string());
    let (both, one) = (root.join("both"), root.join("one"));
    let npx = |home: &Path, registry: &str, packages: &[&str]| {
        let mut npx = Command::new("npx");
        npx.args(["--yes", "--loglevel=error", "--no-audit", "--no-fund", "--no-update-notifier"]);
        npx.arg(format!("--registry={registry}")).arg(format!("--cache={}", home.join("cache").display()));
        for package in packages {
            npx.args(["--package", package]);
        }
        npx.arg("--").arg("bailiwick");
        npx
    };
    let started = npx(&both, NOBODY, &[&main, &platform]);
    let said = workspace::stdout(said_by(started, &both)?.arg("--version"))?;
    ensure!(said.starts_with(&format!("bailiwick {VERSION}\n")), "npx says {said}");
    let registry = Registry::open(&packed)?;
    let runs = work_by(&release.program, &mut npx(&one, &registry.url(), &[&main]), &[])?;
    ensure!(runs.to_string_lossy().contains(&packed.name), "the hook runs {}", runs.display());
    println!(
        "   npm: `npx --package FILE bailiwick init`, a write without an intent is refused by {}",
        packed.name
    );
    Ok(())
}

/// In an empty home and folder.
fn said_by(mut npx: Command, home: &Path) -> Result<Command> {
    let folder = home.join("folder");
    std::fs::create_dir_all(&folder)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    npx.env_clear().env("PATH", path).env("HOME", home).current_dir(folder);
    Ok(npx)
}

/// A registry with one package, on this machine alone.
struct Registry {
    port: u16,
}

impl Registry {
    fn open(packed: &npm::Packed) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let tarball = format!("http://127.0.0.1:{port}/file.tgz");
        let manifest: serde_json::Value = serde_json::from_str(&workspace::stdout(
            Command::new("tar").args(["-xzOf"]).arg(&packed.platform).arg("package/package.json"),
        )?)?;
        let mut version = manifest.clone();
        version["dist"] = json!({ "tarball": tarball });
        let document = json!({ "name": packed.name, "dist-tags": { "latest": VERSION }, "versions": { VERSION: version } });
        let (name, file) = (packed.name.clone(), std::fs::read(&packed.platform)?);
        let served = Arc::new((name, document.to_string(), file));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let served = Arc::clone(&served);
                std::thread::spawn(move || answer(stream, &served));
            }
        });
        Ok(Self { port })
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }
}

/// One request, one answer, one connection.
fn answer(mut stream: TcpStream, (name, document, file): &(String, String, Vec<u8>)) -> Result<()> {
    let (mut head, mut byte) = (Vec::new(), [0_u8]);
    while !head.ends_with(b"\r\n\r\n") && head.len() < 16 << 10 {
        stream.read_exact(&mut byte)?;
        head.extend(byte);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).context("no path")?.trim_start_matches('/').to_owned();
    let (status, body) = match path.as_str() {
        "file.tgz" => ("200 OK", file.as_slice()),
        path if path == name => ("200 OK", document.as_bytes()),
        _ => ("404 Not Found", b"{}".as_slice()),
    };
    write!(stream, "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len())?;
    stream.write_all(body)?;
    Ok(())
}
