/** A filter in words, for the text above the tree and the list of filters. */
import * as vscode from 'vscode';
import { count, rate } from '../../../shared/text/figures/numbers.ts';
import { groupWord, stateWord } from '../words.ts';
import type { FamiliesShown, RunFilter, TreeFilter } from './treeFilter.ts';

/** The clauses of a filter; none when it shows everything. */
export function filterClauses({ runs, families }: TreeFilter, nameOf: (run: string) => string): string[] {
  return [...runClauses(runs), ...familyClauses(families, nameOf)];
}

function runClauses({ text, states, modes }: RunFilter): string[] {
  return [
    ...(text === undefined ? [] : [vscode.l10n.t('runs named “{0}”', text)]),
    ...(states === undefined ? [] : [vscode.l10n.t('runs that are {0}', states.map(stateWord).join(', '))]),
    ...(modes === undefined ? [] : [vscode.l10n.t('mode {0}', modes.join(', '))]),
  ];
}

function familyClauses(
  { run, band, successRate, text, domain, epochs, noted }: FamiliesShown,
  nameOf: (run: string) => string,
) {
  return [
    ...(run === undefined ? [] : [vscode.l10n.t('run {0}', nameOf(run))]),
    ...(epochs === undefined ? [] : [epochWords(epochs)]),
    ...(band === undefined ? [] : [vscode.l10n.t('families: {0}', groupWord(band).toLowerCase())]),
    ...(successRate === undefined
      ? []
      : [vscode.l10n.t('families with p̂ {0}–{1}', rate(successRate[0]), rate(successRate[1]))]),
    ...(text === undefined ? [] : [vscode.l10n.t('families with “{0}”', text)]),
    ...(domain === undefined ? [] : [vscode.l10n.t('domain {0}', domain)]),
    ...(noted === undefined ? [] : [vscode.l10n.t('tasks with notes')]),
  ];
}

const epochWords = ([from, to]: readonly [number, number]): string =>
  from === to ? vscode.l10n.t('epoch {0}', count(from)) : vscode.l10n.t('epochs {0}–{1}', count(from), count(to));
