// How does VS Code talk to Anholon? It starts `anholon lsp`, and shows the pages of the verbs beside the model.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const SCHEME = "anholon";
let client;

/** Pages that verbs wrote, by their address. */
class Pages {
  constructor() {
    this.texts = new Map();
    this.changed = new vscode.EventEmitter();
    this.onDidChange = this.changed.event;
  }

  provideTextDocumentContent(address) {
    return this.texts.get(address.toString()) ?? "";
  }

  async show(verb, file, text) {
    const name = file.split(/[\\/]/).pop();
    const address = vscode.Uri.from({ scheme: SCHEME, path: `/${verb} ${name}.txt` });
    this.texts.set(address.toString(), text);
    this.changed.fire(address);
    const page = await vscode.workspace.openTextDocument(address);
    await vscode.window.showTextDocument(page, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }
}

async function activate(context) {
  const pages = new Pages();
  context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider(SCHEME, pages));
  const command = vscode.workspace.getConfiguration("anholon").get("program", "anholon");
  client = new LanguageClient("anholon", "Anholon", { command, args: ["lsp"] }, {
    documentSelector: [{ language: "mech" }],
    middleware: {
      executeCommand: async (name, args, next) => {
        const answer = await next(name, args);
        if (answer && typeof answer.text === "string") await pages.show(answer.verb, answer.file, answer.text);
        return answer;
      },
    },
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`Anholon: \`${command} lsp\` does not start (${error}). Install anholon, or name it in the setting anholon.program.`);
  }
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
