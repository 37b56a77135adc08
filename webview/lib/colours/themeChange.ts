/** Calls when the editor's theme changes. @returns stops it */
export function onThemeChange(tell: () => void): () => void {
  const observer = new MutationObserver(tell);
  // The editor puts its theme on both: variables on the root, its kind on the body.
  observer.observe(document.documentElement, { attributeFilter: ['style', 'class'] });
  observer.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id', 'data-vscode-theme-kind'] });
  return () => observer.disconnect();
}
