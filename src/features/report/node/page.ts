/** The report as one HTML file: data, browser code and styles inline, nothing fetched, nothing that can break out. */
import type { ReportData } from '../../../shared/report/data.ts';
import { ReportError } from './reportError.ts';

/** The code that draws the data, inside the page. */
export interface PageCode {
  script: string;
  style: string;
  /** Base64, new for each file: the only script and style that may run are the ones that carry it. */
  nonce: string;
}

/** Text as HTML text or attribute value. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** JSON that no HTML parser can read as markup: every `<` is escaped, so neither `</script` nor `<!--` occurs. */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

export interface PageParts extends PageCode {
  data: ReportData;
}

export interface WholePage extends PageCode {
  title: string;
  /** Shown where scripts are off. */
  absent: string;
  /** The element by which the browser code finds the data. */
  dataId: 'report-data' | 'study-data';
  data: unknown;
}

/** A run's report. @throws ReportError `bundle` when the bundled code or styles contain the end tag of their element */
export function reportPage({ data, ...code }: PageParts): string {
  return wholePage({
    ...code,
    title: `${data.run.name} · GenEnv run report`,
    absent: `Allow scripts for it to see the run
${data.run.id}.`,
    dataId: 'report-data',
    data,
  });
}

/** @throws ReportError `bundle` when the bundled code or styles contain the end tag of their element */
export function wholePage({ title, absent, dataId, data, script, style, nonce }: WholePage): string {
  if (/<\/script|<script|<!--/i.test(script)) {
    throw new ReportError(
      'bundle',
      'dist/report.js holds a script tag as text, which would end its element in a page.',
    );
  }
  if (/<\/style/i.test(style)) {
    throw new ReportError(
      'bundle',
      'dist/report.css holds a style tag as text, which would end its element in a page.',
    );
  }
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">
${style}
</style>
</head>
<body>
<main id="report"><noscript>This report is drawn by the script inside this file. ${escapeHtml(absent)}</noscript></main>
<script type="application/json" id="${dataId}">${embeddedJson(data)}</script>
<script nonce="${nonce}">
${script}
</script>
</body>
</html>
`;
}
