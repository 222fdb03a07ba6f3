// Checks ledger proofs by docs/protocol/proof.md alone, with nothing but Node's own library: a second implementation that
// the product is compared with.
//
// usage: node check.mjs KEY < LIST, where KEY is `ed25519:` and 64 digits and LIST a JSON array of proofs.
// Prints a JSON array: true where the proof holds.

import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (...parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

function base64(text) {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) throw new Error("not base64");
  return bytes;
}

function number(text) {
  if (!/^(0|[1-9][0-9]*)$/.test(text)) throw new Error("not a number");
  return BigInt(text);
}

function publicKey(text) {
  const match = /^ed25519:([0-9a-f]{64})$/.exec(text);
  if (!match) throw new Error("not a key");
  const raw = Buffer.from(match[1], "hex");
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), raw]);
  return { raw, key: createPublicKey({ key: der, format: "der", type: "spki" }) };
}

// RFC 8785: members by UTF-16 code units, numbers and strings as ECMAScript writes them.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(",")}}`;
}

function checkpoint(note, { raw, key }) {
  const cut = note.lastIndexOf("\n\n");
  if (cut < 0 || !note.endsWith("\n") || /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(note)) {
    throw new Error("not a note");
  }
  const text = note.slice(0, cut + 1);
  const lines = text.slice(0, -1).split("\n");
  const [origin, size, root] = lines;
  if (lines.length < 3 || lines.some((line) => line === "")) throw new Error("not a checkpoint");
  const typed = Buffer.concat([Buffer.from([1]), raw]);
  const id = sha256(origin, "\n", typed).subarray(0, 4);
  let signed = 0;
  for (const line of note.slice(cut + 2, -1).split("\n")) {
    const match = /^\u2014 ([^\s+]+) (\S+)$/u.exec(line);
    if (!match) throw new Error("not a signature line");
    const bytes = base64(match[2]);
    if (bytes.length <= 4) throw new Error("not a signature");
    if (match[1] !== origin || !bytes.subarray(0, 4).equals(id)) continue;
    if (!verify(null, Buffer.from(text), key, bytes.subarray(4))) throw new Error("a wrong signature");
    signed += 1;
  }
  if (signed === 0) throw new Error("not signed by the key");
  const hash = base64(root);
  if (hash.length !== 32) throw new Error("not a root");
  return { size: number(size), root: hash };
}

function checksumOf(extra, index) {
  const text = extra.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(extra)) throw new Error("not text");
  let named = text;
  if (text.startsWith("{")) {
    const record = JSON.parse(text);
    if (canonical(record) !== text) throw new Error("not canonical");
    if (BigInt(record.metadata["dev.bailiwick"].seq) !== index) throw new Error("another place");
    const { checksum, signature, ...rest } = record;
    named = `sha256:${sha256(canonical(rest)).toString("hex")}`;
    if (checksum !== named) throw new Error("another checksum");
  }
  const match = /^sha256:([0-9a-f]{64})$/.exec(named);
  if (!match) throw new Error("no checksum");
  return Buffer.from(match[1], "hex");
}

// RFC 9162, section 2.1.3.2.
function rootOf(leaf, index, size, path) {
  if (index >= size) throw new Error("no such place");
  let [fn, sn, hash] = [index, size - 1n, leaf];
  for (const beside of path) {
    if (sn === 0n) throw new Error("the path is too long");
    if (fn & 1n || fn === sn) {
      hash = sha256(Buffer.from([1]), beside, hash);
      while (!(fn & 1n) && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else {
      hash = sha256(Buffer.from([1]), hash, beside);
    }
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  if (sn !== 0n) throw new Error("the path is too short");
  return hash;
}

function holds(proof, key) {
  const cut = proof.indexOf("\n\n");
  if (cut < 0) throw new Error("no checkpoint");
  const [head, extra, place, ...path] = proof.slice(0, cut).split("\n");
  if (head !== "c2sp.org/tlog-proof@v1" || path.length > 64) throw new Error("not a proof");
  if (!extra?.startsWith("extra ") || !place?.startsWith("index ")) throw new Error("not a proof");
  const index = number(place.slice(6));
  const hashes = path.map(base64);
  if (hashes.some((hash) => hash.length !== 32)) throw new Error("not a hash");
  const tree = checkpoint(proof.slice(cut + 2), key);
  const leaf = sha256(Buffer.from([0]), checksumOf(base64(extra.slice(6)), index));
  return rootOf(leaf, index, tree.size, hashes).equals(tree.root);
}

const key = publicKey(process.argv[2]);
const verdicts = JSON.parse(readFileSync(0, "utf8")).map((proof) => {
  try {
    return holds(proof, key);
  } catch {
    return false;
  }
});
console.log(JSON.stringify(verdicts));
