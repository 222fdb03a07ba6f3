// Which servers of governed tools there are for the folders of a window. Knows nothing of the editor.

export interface Offer {
  label: string;
  command: string;
  args: string[];
  root: string;
  version: string;
}

/** One server for each root, with the folder's name where there are several. */
export function offers(folders: readonly { root: string; name: string }[], program: string, version: string): Offer[] {
  if (program === '') return [];
  const roots = new Map(folders.map(folder => [folder.root, folder.name]));
  return [...roots].map(([root, name]) => ({
    label: roots.size > 1 ? `Bailiwick (${name})` : 'Bailiwick',
    command: program,
    args: ['mcp', '--root', root],
    root,
    version,
  }));
}
