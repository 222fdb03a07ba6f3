// The governed tools, offered to the editor's own agent as an MCP server.
import assert from 'node:assert/strict';
import { Editor, until } from '../editor.mjs';
import { world } from '../world.mjs';

const entry = (editor, text) => editor.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();

export const tools = [
  {
    name: "the editor's own agent is offered them, and the server that it starts serves this repository",
    async play(stage) {
      if (stage.editor.page && !stage.editor.page.isClosed()) await stage.editor.page.close();
      const editor = await Editor.start({ extension: process.env.EXTENSION, theme: process.env.THEME, home: 'tools', chats: true });
      try {
        await editor.open(world.repo);
        await until('a start of the server', async () => {
          await editor.command('MCP: List Servers');
          return (await editor.choose('Bailiwick')) && editor.choose('Start Server');
        });
        await until('the server', () => editor.running('mcp').length === 1);
        await until('that it runs', async () => {
          await editor.command('MCP: List Servers');
          return /Running/.test(await entry(editor, 'Bailiwick').innerText({ timeout: 10_000 }).catch(() => ''));
        });
        await stage.picture('tools', editor);
        await editor.page.keyboard.press('Escape');
        assert.equal(editor.sidecars().length, 1);
      } catch (error) {
        await stage.picture('failure-tools', editor);
        throw error;
      } finally {
        await editor.close();
      }
      await until('its end with the editor', () => stage.editor.running('mcp').length === 0);
    },
  },
];
