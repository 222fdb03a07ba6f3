# @NOT_RUN@
# Put the address that the archive was published at into `url`: this file was made before there is one.
class Bailiwick < Formula
  desc "@SUMMARY@"
  homepage "https://bailiwick.invalid"
  url "https://bailiwick.invalid/releases/v@VERSION@/@ARCHIVE@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on :linux

  def install
    bin.install "bailiwick"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/bailiwick.bash" => "bailiwick"
    zsh_completion.install "completions/_bailiwick"
    fish_completion.install "completions/bailiwick.fish"
  end

  test do
    assert_match "bailiwick #{version}", shell_output("#{bin}/bailiwick --version")
  end
end
