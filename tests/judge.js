// Judges reports of md5lint with programs that others wrote: see tests/program/check-reports. NODE_PATH has the packages.
//     judge.js schema SCHEMA[#/definitions/NAME] FILE    one JSON document, or one on each line of a .jsonl
//     judge.js closed SCHEMA[#/definitions/NAME] FILE    the same, and the schema names all members
//     judge.js checkstyle FILE                           prints how many errors a reader of Checkstyle's format finds
//     judge.js github FILE JSONL                         the annotations are findings of the other report
//     judge.js matcher MATCHERS GCC JSONL                each line of gcc is matched once, and is the finding in the other report
//     judge.js same JSONL SARIF GITLAB                   the reports have the same findings, at the same places
"use strict";
const fs = require("fs");
const assert = require("assert");

const read = (path) => fs.readFileSync(path, "utf8");
const lines = (path) => read(path).split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));

// A schema of nothing but the names that this one gives to members: no object may have others.
function namesOnly(node, whole) {
  const target = (n) => (n.$ref ? target(n.$ref.slice(2).split("/").reduce((at, name) => at[name], whole)) : n);
  const parts = (n) => [target(n)].concat(...[target(n).then, target(n).else, ...(target(n).allOf || [])].filter(Boolean).map(parts));
  const all = parts(node);
  const properties = Object.assign({}, ...all.map((part) => part.properties));
  const names = Object.entries(properties).map(([name, member]) => [name, namesOnly(member, whole)]);
  const [{ items, additionalProperties: others }] = all;
  return {
    properties: Object.fromEntries(names),
    additionalProperties: others ? namesOnly(others, whole) : names.length === 0,
    items: items ? namesOnly(items, whole) : true,
  };
}

function checkClosed(where, path) {
  const [file, part] = where.split("#");
  const whole = JSON.parse(read(file));
  checkDocuments(namesOnly(part ? { $ref: "#" + part } : whole, whole), undefined, path);
}

function checkSchema(where, path) {
  const [file, part] = where.split("#");
  checkDocuments(JSON.parse(read(file)), part, path);
}

function checkDocuments(schema, part, path) {
  const Ajv = String(schema.$schema).includes("2020-12") ? require("ajv/dist/2020") : require("ajv");
  const ajv = new Ajv({ strict: false, allErrors: false });
  require("ajv-formats")(ajv);
  ajv.addSchema(schema, "report");
  const validate = ajv.getSchema(part ? "report#" + part : "report");
  const documents = path.endsWith(".jsonl") ? lines(path) : [JSON.parse(read(path))];
  documents.forEach((document, i) => assert(validate(document), `document ${i + 1}: ${ajv.errorsText(validate.errors)}`));
  console.log(documents.length);
}

function countCheckstyle(path) {
  const { parseCheckstyle } = require("danger-plugin-lint-report/dist/parse/checkstyle_parser");
  const found = parseCheckstyle(require("xml-js").xml2js(read(path)), "/nowhere");
  for (const v of found)
    assert(v.file !== "" && v.line >= 1 && ["error", "warning", "info"].includes(v.severity) && v.message !== "");
  console.log(found.length);
}

// As GitHub's runner does it: each escape is replaced, the one of % last.
const decodeData = (text) => text.replace(/%0D/g, "\r").replace(/%0A/g, "\n").replace(/%25/g, "%");
const decodeProperty = (text) => decodeData(text.replace(/%3A/g, ":").replace(/%2C/g, ","));

// Control characters are shown as U+FFFD, as are bytes that are not UTF-8.
const clean = (text) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "\ufffd");

function checkCommands(path, other) {
  const level = { error: "error", warning: "warning", note: "notice" };
  const key = (kind, file, line, message) => JSON.stringify([kind, file, line, message]);
  const findings = lines(other).filter((f) => f.archive === undefined);
  const known = new Set(findings.map((f) => f.error !== undefined ? key("error", clean(f.file), "", f.error)
    : key(level[f.severity], clean(f.file), String(f.line || ""), clean(f.message))));
  let count = 0;
  const kinds = [];
  for (const line of read(path).split("\n").filter((text) => text.startsWith("::"))) {
    const [, kind, properties, data] = line.match(/^::(error|warning|notice) ([^:]*)::(.*)$/);
    const p = Object.fromEntries(properties.split(",").map((text) => text.split(/=(.*)/s).slice(0, 2).map(decodeProperty)));
    const [message] = decodeData(data).split("\nhint: ");
    kinds.push(kind);
    count++;
    if (p.file.match(/\.(pk[34]|pak|kpf|zip|dpk|md4)$/i)) continue; // the message has the place, too
    assert([...known].some((k) => { const [a, b, c, d] = JSON.parse(k); return a === kind && b === p.file && c === (p.line || "") && message.startsWith(d); }), line);
  }
  assert.deepStrictEqual(kinds, [...kinds].sort((a, b) => "enw".indexOf(a[0]) - "enw".indexOf(b[0]) || 0).sort((a, b) => ["error", "warning", "notice"].indexOf(a) - ["error", "warning", "notice"].indexOf(b)));
  console.log(count);
}

function checkMatchers(path, gcc, jsonl) {
  const matchers = JSON.parse(read(path)).problemMatcher.map((m) => ({ ...m.pattern[0], regexp: new RegExp(m.pattern[0].regexp), always: m.severity }));
  const found = lines(jsonl).filter((f) => f.error === undefined);
  const shown = read(gcc).split("\n").filter((line) => line !== "");
  assert.strictEqual(shown.length, found.length);
  shown.forEach((line, i) => {
    const [match, ...more] = matchers.map((m) => [m, m.regexp.exec(line)]).filter(([, at]) => at !== null);
    assert(match !== undefined && more.length === 0, line);
    const [m, at] = match, f = found[i];
    const expected = [f.severity, f.line && String(f.line), f.column && String(f.column), f.rule];
    const severity = m.always === "notice" ? "note" : at[m.severity];
    assert.deepStrictEqual([severity, at[m.line], at[m.column], at[m.code]], expected, line);
    assert(line.startsWith(at[m.file] + (f.line === undefined ? ":@0x" : `:${f.line}:${f.column}: `)), line);
  });
  console.log(shown.length);
}

// The text that a SARIF region is about, as an editor sees it, which counts in UTF-16 units.
function regionText(path, region) {
  const rows = fs.readFileSync(path, "utf8").replace(/^\ufeff/, "").split("\n");
  if (region.startLine === region.endLine)
    return rows[region.startLine - 1].slice(region.startColumn - 1, region.endColumn - 1);
  return undefined;
}
// The message of a SARIF result without the links at its end, one for each related place; nothing else in it is a link.
function unlinked(result) {
  const ids = (result.relatedLocations || []).map((place) => String(place.id));
  const [, text, links] = result.message.text.match(/^(.*?)((?:(?:\. Related:|,) \[[^[\]\\]+\]\(\d+\))*)$/s);
  assert.deepStrictEqual([...links.matchAll(/\]\((\d+)\)/g)].map((m) => m[1]), ids, result.message.text);
  const marks = text.replace(/\\[[\]\\]/g, "");
  assert(new Set(ids).size === ids.length && !marks.includes("](") && !/\[[^\]]*$/.test(marks), result.message.text);
  return /\\[[\]]/.test(text) ? text.replace(/\\([[\]\\])/g, "$1") : text;
}
const isUtf8 = (bytes) => Buffer.compare(Buffer.from(bytes.toString("utf8"), "utf8"), bytes) === 0;

function checkSame(jsonl, sarif, gitlab) {
  const findings = lines(jsonl).filter((f) => f.error === undefined);
  const unread = lines(jsonl).filter((f) => f.error !== undefined);
  const run = JSON.parse(read(sarif)).runs[0];
  const issues = JSON.parse(read(gitlab));
  assert.strictEqual(run.results.length, findings.length, "results");
  assert.strictEqual(issues.length, findings.length + unread.length, "issues");
  assert.strictEqual(new Set(issues.map((i) => i.fingerprint)).size, issues.length, "fingerprints");
  assert.strictEqual((run.invocations[0].toolExecutionNotifications || []).length, unread.length, "notifications");
  const known = new Map();
  for (const f of findings.filter((f) => f.line !== undefined && f.archive === undefined))
    known.set(JSON.stringify([f.file, f.rule, f.line, f.path || "", f.message]), f);
  let compared = 0;
  for (const r of run.results) {
    assert.strictEqual(run.tool.driver.rules[r.ruleIndex].id, r.ruleId);
    const place = r.locations[0].physicalLocation, region = place.region;
    for (const member of ["startLine", "startColumn", "endLine", "endColumn"]) assert(region[member] >= 1, `no ${member}`);
    let file;
    try { file = decodeURIComponent(place.artifactLocation.uri); } catch { continue; } // not UTF-8
    const name = r.locations[0].logicalLocations ? r.locations[0].logicalLocations[0].fullyQualifiedName : "";
    const f = known.get(JSON.stringify([file, r.ruleId, region.startLine, name, unlinked(r)]));
    if (f === undefined || region.endColumn === undefined || !fs.existsSync(file)) continue;
    const bytes = fs.readFileSync(file);
    const span = bytes.subarray(f.offset, f.offset + f.length);
    const text = regionText(file, region);
    if (!isUtf8(bytes) || !isUtf8(span) || text === undefined) continue;
    if (Math.max(f.column, f.endColumn) > 10000) continue; // too far into a line to be counted
    assert.strictEqual(text, span.toString("utf8").replace(/^\ufeff/, ""), `${file}:${region.startLine}`);
    compared++;
  }
  for (const member of ["id", "shortDescription", "fullDescription", "help", "defaultConfiguration", "properties"])
    for (const rule of run.tool.driver.rules) assert(rule[member] !== undefined, `${rule.id} has no ${member}`);
  for (const rule of run.tool.driver.rules) assert(rule.fullDescription.text.length <= 1000, `${rule.id}: a description of over 1,000 characters`);
  console.log(compared);
}

const [, , what, ...files] = process.argv;
({ schema: checkSchema, closed: checkClosed, checkstyle: countCheckstyle, github: checkCommands, matcher: checkMatchers, same: checkSame })[what](...files);
