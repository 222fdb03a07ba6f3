// What must hold, chapter by chapter, in one editor and one repository.
import { questions } from './chapters/questions.mjs';

export const chapters = [...questions];
