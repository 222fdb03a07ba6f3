// What must hold, chapter by chapter, in one editor and one repository.
import { agent } from './chapters/agent.mjs';
import { folders } from './chapters/folders.mjs';
import { keyboard } from './chapters/keyboard.mjs';
import { looks } from './chapters/looks.mjs';
import { past } from './chapters/past.mjs';
import { questions } from './chapters/questions.mjs';
import { tools } from './chapters/tools.mjs';
import { view } from './chapters/view.mjs';
import { walk } from './chapters/walk.mjs';
import { wider } from './chapters/wider.mjs';

const part = (name, chapters) => chapters.map(chapter => ({ ...chapter, name: `${name}: ${chapter.name}` }));

export const chapters = [
  ...part('dialog', questions), ...part('view', view), ...part('wider', wider), ...part('past', past), ...part('looks', looks),
  ...part('folders', folders), ...part('tools', tools), ...part('agent', agent), ...part('walk', walk), ...part('keyboard', keyboard),
];
