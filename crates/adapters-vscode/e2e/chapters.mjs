// What must hold, chapter by chapter, in one editor and one repository.
import { looks } from './chapters/looks.mjs';
import { questions } from './chapters/questions.mjs';
import { view } from './chapters/view.mjs';

const part = (name, chapters) => chapters.map(chapter => ({ ...chapter, name: `${name}: ${chapter.name}` }));

export const chapters = [...part('dialog', questions), ...part('view', view), ...part('looks', looks)];
