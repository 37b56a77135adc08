/** The editor's theme variables that our pages use, as its own themes have them. */

import { ownColours, type ThemeKind } from '../ownColours.ts';

export type Theme = 'dark' | 'light' | 'high-contrast' | 'high-contrast-light';

interface Palette {
  background: string;
  foreground: string;
  muted: string;
  raised: string;
  button: [string, string];
  secondary: [string, string];
  link: string;
  focus: string;
  border: string;
}

const palettes: Record<Theme, Palette> = {
  dark: {
    ...{ background: '#1f1f1f', foreground: '#cccccc', muted: '#9d9d9d', raised: '#202020' },
    ...{ button: ['#0078d4', '#ffffff'], secondary: ['#313131', '#cccccc'], link: '#4daafc', focus: '#0078d4' },
    border: '#2b2b2b',
  },
  light: {
    ...{ background: '#ffffff', foreground: '#3b3b3b', muted: '#6b6b6b', raised: '#f8f8f8' },
    ...{ button: ['#005fb8', '#ffffff'], secondary: ['#e5e5e5', '#3b3b3b'], link: '#005fb8', focus: '#005fb8' },
    border: '#e5e5e5',
  },
  'high-contrast': {
    ...{ background: '#000000', foreground: '#ffffff', muted: '#ffffff', raised: '#0c141f' },
    ...{ button: ['#000000', '#ffffff'], secondary: ['#000000', '#ffffff'], link: '#21a6ff', focus: '#f38518' },
    border: '#6fc3df',
  },
  'high-contrast-light': {
    ...{ background: '#ffffff', foreground: '#292929', muted: '#292929', raised: '#ffffff' },
    ...{ button: ['#0f4a85', '#ffffff'], secondary: ['#ffffff', '#0f4a85'], link: '#0f4a85', focus: '#006bbd' },
    border: '#0f4a85',
  },
};

export const themeNames: readonly Theme[] = ['dark', 'light', 'high-contrast', 'high-contrast-light'];

const kinds: Record<Theme, ThemeKind> = {
  ...{ dark: 'dark', light: 'light', 'high-contrast': 'highContrast', 'high-contrast-light': 'highContrastLight' },
};

const contributed = (theme: Theme): Record<string, string> =>
  Object.fromEntries(Object.entries(ownColours(kinds[theme])).map(([name, value]) => [`genenv-${name}`, value]));

/** A style sheet with the variables of one theme. */
export function themeSheet(theme: Theme): string {
  const at = palettes[theme];
  const variables: Record<string, string> = {
    'font-family': 'system-ui, sans-serif',
    'font-size': '13px',
    'editor-font-family': 'monospace',
    'editor-background': at.background,
    'editor-foreground': at.foreground,
    foreground: at.foreground,
    'icon-foreground': at.foreground,
    descriptionForeground: at.muted,
    'editorWidget-background': at.raised,
    'list-inactiveSelectionBackground': at.border,
    'list-hoverBackground': at.border,
    'toolbar-hoverBackground': at.border,
    ...contributed(theme),
    'button-background': at.button[0],
    'button-hoverBackground': at.button[0],
    'button-secondaryHoverBackground': at.secondary[0],
    'button-foreground': at.button[1],
    'button-secondaryBackground': at.secondary[0],
    'button-secondaryForeground': at.secondary[1],
    'textLink-foreground': at.link,
    'textLink-activeForeground': at.link,
    'dropdown-background': at.raised,
    'dropdown-foreground': at.foreground,
    'dropdown-border': at.border,
    'checkbox-background': at.raised,
    'checkbox-foreground': at.foreground,
    'checkbox-border': at.border,
    'input-background': at.raised,
    'input-foreground': at.foreground,
    'input-border': at.border,
    focusBorder: at.focus,
    ...(theme.startsWith('high-contrast') ? { contrastBorder: at.border, 'button-border': at.border } : {}),
  };
  const lines = Object.entries(variables).map(([name, value]) => `--vscode-${name}: ${value};`);
  return `:root { ${lines.join(' ')} }`;
}
