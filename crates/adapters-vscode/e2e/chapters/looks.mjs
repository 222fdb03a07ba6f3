// What a person sees besides questions: it shows what the command line says.
import { gate, world } from '../world.mjs';

export const looks = [
  {
    name: 'the Agents view says who works, and what is not governed',
    async play(stage) {
      const { editor } = stage;
      if (!editor.page || editor.page.isClosed()) await editor.open(world.repo);
      await editor.command('Bailiwick: Focus on Agents View');
      await editor.row('Claude Code').first().waitFor();
      await editor.row('is not governed').waitFor();
    },
  },
  {
    name: 'the Ledger view shows what `trace log` says, of everything and of one file',
    async play(stage) {
      const { editor } = stage;
      await editor.command('Bailiwick: Focus on Ledger View');
      const { entries } = gate('trace', 'log');
      const paths = new Set(entries.map(entry => entry.files[0]?.path).filter(Boolean));
      for (const path of [...paths].slice(-3)) await editor.row(path).first().waitFor();
      await stage.picture('ledger');
    },
  },
];
