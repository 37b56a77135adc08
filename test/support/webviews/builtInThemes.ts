/** The editor's built-in themes and their backgrounds, `#rrggbb`; test/webview/colours.test.ts compares them with the editor's own files. */
import type { ThemeKind } from '../ownColours.ts';

export interface BuiltInTheme {
  name: string;
  kind: ThemeKind;
  background: string;
}

export const builtInThemes: readonly BuiltInTheme[] = [
  { name: 'Abyss', kind: 'dark', background: '#000c18' },
  { name: 'Light 2026', kind: 'light', background: '#ffffff' },
  { name: 'Dark 2026', kind: 'dark', background: '#121314' },
  { name: 'Dark+', kind: 'dark', background: '#1e1e1e' },
  { name: 'Dark Modern', kind: 'dark', background: '#1f1f1f' },
  { name: 'Light+', kind: 'light', background: '#ffffff' },
  { name: 'Light Modern', kind: 'light', background: '#ffffff' },
  { name: 'Visual Studio Dark', kind: 'dark', background: '#1e1e1e' },
  { name: 'Visual Studio Light', kind: 'light', background: '#ffffff' },
  { name: 'Default High Contrast', kind: 'highContrast', background: '#000000' },
  { name: 'Default High Contrast Light', kind: 'highContrastLight', background: '#ffffff' },
  { name: 'Kimbie Dark', kind: 'dark', background: '#221a0f' },
  { name: 'Monokai', kind: 'dark', background: '#272822' },
  { name: 'Monokai Dimmed', kind: 'dark', background: '#1e1e1e' },
  { name: 'Quiet Light', kind: 'light', background: '#f5f5f5' },
  { name: 'Red', kind: 'dark', background: '#390000' },
  { name: 'Solarized Dark', kind: 'dark', background: '#002b36' },
  { name: 'Solarized Light', kind: 'light', background: '#fdf6e3' },
  { name: 'Tomorrow Night Blue', kind: 'dark', background: '#002451' },
];
