/** Puts one of our pages into a webview: strict content security policy, our bundle, the editor's language. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { Channel } from '../../shared/rpc/channel.ts';

export interface PageOptions {
  extensionUri: vscode.Uri;
  /** In `dist/webviews`: the module NAME.js, which imports chunks beside it, and NAME.css, after base.css. */
  name: string;
  title: string;
  log: Pick<vscode.LogOutputChannel, 'error'>;
  /** The page is there, for the first time or again after it was hidden: send it a whole snapshot. */
  onOpen(): void;
}

/** @returns the channel to the page; dispose it with the webview's panel */
export function mountPage(webview: vscode.Webview, options: PageOptions): Channel {
  const folder = vscode.Uri.joinPath(options.extensionUri, 'dist', 'webviews');
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  const channel = new Channel(
    {
      post: (message) => {
        void webview.postMessage(message);
      },
      listen: (receive) => {
        const subscription = webview.onDidReceiveMessage((message: unknown) => receive(message));
        return () => {
          subscription.dispose();
        };
      },
    },
    { onError: (error) => options.log.error(`${options.name}: ${error.message}`), onOpen: () => options.onOpen() },
  );
  webview.html = pageHtml(webview, folder, options);
  return channel;
}

function pageHtml(webview: vscode.Webview, folder: vscode.Uri, { name, title }: PageOptions): string {
  const [nonce, styleNonce] = [randomBytes(16).toString('base64url'), randomBytes(16).toString('base64url')];
  const at = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
  const { cspSource } = webview;
  // The toolkit tries `:focus-visible` on its own style element, with the nonce it finds in the page.
  const policy = `default-src 'none'; img-src ${cspSource}; font-src ${cspSource}; style-src ${cspSource} 'nonce-${styleNonce}'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${styleNonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${at('base.css')}">
<link rel="stylesheet" href="${at(`${name}.css`)}">
</head>
<body>
<main id="root"></main>
<script type="application/json" id="l10n">${bundle()}</script>
<script type="module" nonce="${nonce}" src="${at(`${name}.js`)}"></script>
</body>
</html>`;
}

/** The editor's bundle, safe inside a script element. */
const bundle = (): string =>
  vscode.l10n.bundle === undefined ? '' : JSON.stringify(vscode.l10n.bundle).replaceAll('<', '\\u003c');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
