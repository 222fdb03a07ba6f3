//! Installs each package from its packed file into an empty root and does a piece of work with it: a repository is governed,
//! and a write without an intent is refused. What cannot be installed here is compared with what was made.

mod from_npm;
mod from_plugin;
mod replaced;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::{Release, archive, bom, debian, elsewhere, made};
use crate::stage::hook_driver::HookDriver;
use crate::stage::world::World;
use crate::workspace;

/// Makes everything and tries it.
pub(crate) fn run() -> Result<()> {
    let release = made()?;
    workspace::stdout(
        Command::new("sha256sum").args(["--check", "--strict", "SHA256SUMS"]).current_dir(&release.out),
    )?;
    elsewhere::check(&release)?;
    let roots = tempfile::tempdir()?;
    let root = |name: &str| -> Result<PathBuf> {
        let root = roots.path().canonicalize()?.join(name);
        std::fs::create_dir_all(&root)?;
        Ok(root)
    };
    from_archive(&release, &root("archive")?).context("the archive")?;
    from_debian(&release, &root("debian")?).context("the Debian package")?;
    replaced::run(&release, &root("replaced")?).context("an upgrade while a hook waits")?;
    from_npm::run(&release, &root("npm")?).context("the npm packages")?;
    from_plugin::run(&release, &root("plugin")?).context("the plugin")?;
    bom::check(&release)
}

fn from_archive(release: &Release, root: &Path) -> Result<()> {
    let packed = release.out.join(format!("{}.tar.gz", release.archive_name()));
    workspace::stdout(Command::new("tar").arg("-xzf").arg(packed).arg("-C").arg(root))?;
    let folder = root.join(release.archive_name());
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md", "bailiwick.cdx.json"] {
        ensure!(folder.join(file).is_file(), "{file} is missing");
    }
    completions(&folder.join("completions"))?;
    man_pages(&folder.join("man/man1"))?;
    work(&folder.join("bailiwick"), &[])?;
    println!("   the archive: unpacked, a write without an intent is refused");
    Ok(())
}

/// Every shell that is here reads its script.
fn completions(folder: &Path) -> Result<()> {
    for (shell, file) in archive::COMPLETIONS {
        let script = folder.join(file);
        let text = std::fs::read_to_string(&script).with_context(|| file.to_owned())?;
        ensure!(text.contains("uninstall"), "{file} does not know `uninstall`");
        let read = match shell {
            "bash" | "zsh" => Command::new(shell).arg("-n").arg(&script).output(),
            "fish" => Command::new(shell).arg("--no-execute").arg(&script).output(),
            _ => continue,
        };
        // A shell that is not here reads nothing.
        if let Ok(output) = read {
            ensure!(output.status.success(), "{shell}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
    Ok(())
}

/// There is a page for each command, and the formatter has nothing to say against any.
fn man_pages(folder: &Path) -> Result<()> {
    for page in ["bailiwick.1", "bailiwick-init.1", "bailiwick-trace-verify.1"] {
        ensure!(folder.join(page).is_file(), "{page} is missing");
    }
    for entry in std::fs::read_dir(folder)? {
        let page = entry?.path();
        let Ok(output) =
            Command::new("groff").args(["-man", "-Tutf8", "-k", "-ww", "-z"]).arg(&page).output()
        else {
            return Ok(());
        };
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success() && said.is_empty(), "{}: {said}", page.display());
    }
    Ok(())
}

fn from_debian(release: &Release, root: &Path) -> Result<()> {
    let package = release.out.join(debian::name(release)?);
    let fields = workspace::stdout(Command::new("dpkg-deb").arg("--field").arg(&package))?;
    ensure!(fields.contains("Package: bailiwick\n") && !fields.contains("Depends:"), "{fields}");
    workspace::stdout(Command::new("dpkg").arg("-x").arg(&package).arg(root))?;
    for file in
        ["doc/bailiwick/copyright", "man/man1/bailiwick.1.gz", "bash-completion/completions/bailiwick"]
    {
        ensure!(root.join("usr/share").join(file).is_file(), "{file} is missing");
    }
    work(&root.join("usr/bin/bailiwick"), &[])?;
    println!("   the Debian package: unpacked, a write without an intent is refused");
    Ok(())
}

/// Governs a new repository with that program and lets an agent write without an intent; gives the program that the hook
/// runs. `more` is put into the environment of the first command.
fn work(program: &Path, more: &[(&str, &str)]) -> Result<PathBuf> {
    work_by(program, &mut Command::new(program), more)
}

/// The same where another command starts the program.
fn work_by(product: &Path, start: &mut Command, more: &[(&str, &str)]) -> Result<PathBuf> {
    let world = World::new(product)?;
    start.args(["init", "--agent", "claude-code", "--yes"]).env_clear().envs(world.environment());
    let said = start.envs(more.iter().copied()).current_dir(world.repo()).output()?;
    ensure!(said.status.success(), "init: {}", String::from_utf8_lossy(&said.stderr));
    let hook = HookDriver::installed(&world)?;
    let runs = PathBuf::from(hook.words.first().context("a hook without a program")?);
    let before = world.read("README.md");
    let input = json!({ "file_path": world.repo().join("README.md"), "content": "mine\n" });
    let answer = hook.send(&hook.call("Write", &input, "toolu_dist"))?;
    let decision = &answer["hookSpecificOutput"]["permissionDecision"];
    ensure!(decision == "deny" && world.read("README.md") == before, "the write is answered with {answer}");
    let read = hook.call("Read", &json!({ "file_path": world.repo().join("README.md") }), "toolu_read");
    let answer = hook.send(&read)?.to_string();
    ensure!(!answer.contains("deny"), "reading is answered with {answer}");
    Ok(runs)
}
