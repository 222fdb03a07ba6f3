// Which bailiwick program is started. Knows nothing of the editor.

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export interface Places {
  /** What the setting says. */
  setting: string;
  /** Where the extension is installed. */
  extension: string;
  /** The folders of PATH. */
  path: string;
  windows: boolean;
}

/** The program that the setting names, else the one in the extension, else the one in PATH. */
export function find(places: Places, runs: (file: string) => boolean = canRun): string | undefined {
  const name = places.windows ? 'bailiwick.exe' : 'bailiwick';
  if (places.setting !== '') {
    return isAbsolute(places.setting) && runs(places.setting) ? places.setting : undefined;
  }
  // A relative folder in PATH could be the workspace.
  const folders = places.path.split(delimiter).filter(folder => isAbsolute(folder));
  const candidates = [join(places.extension, 'bin', name), ...folders.map(folder => join(folder, name))];
  return candidates.find(runs);
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
