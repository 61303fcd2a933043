// Starts `dpsym lsp` for LaTeX, Markdown and plain text; everything else is done by the server.
"use strict";

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = function () {
  const [command, ...args] = workspace.getConfiguration("dpsym").get("command");
  const languages = ["latex", "markdown", "plaintext"];
  client = new LanguageClient(
    "dpsym",
    { command, args },
    { documentSelector: languages.map((language) => ({ language })) },
  );
  return client.start();
};

exports.deactivate = function () {
  return client && client.stop();
};
