import * as vscode from 'vscode';
import { plainMarkdown } from '../plainMarkdown.ts';

/** A title, a table of facts (empty values left out), and sentences below it. Markup is escaped. */
export function tooltip(
  title: string,
  lines: readonly (readonly [string, string | null | undefined])[],
  sentences: readonly string[] = [],
): vscode.MarkdownString {
  const text = new vscode.MarkdownString(`**${escaped(title)}**\n\n| | |\n|:--|:--|\n`);
  for (const [name, value] of lines) {
    if (value === null || value === undefined || value === '') continue;
    text.appendMarkdown(`| ${escaped(name)}&nbsp;&nbsp; | ${escaped(value)} |\n`);
  }
  for (const sentence of sentences) text.appendMarkdown(`\n${escaped(sentence)}\n`);
  return text;
}

/** Plain text on one line, which may be broken where it has spaces. */
const escaped = (text: string): string => plainMarkdown(text.replaceAll(/\s+/g, ' '));
