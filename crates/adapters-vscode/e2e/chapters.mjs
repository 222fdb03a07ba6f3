// What must hold, chapter by chapter, in one editor and one repository.
import { looks } from './chapters/looks.mjs';
import { questions } from './chapters/questions.mjs';
import { view } from './chapters/view.mjs';

export const chapters = [...questions, ...view, ...looks];
