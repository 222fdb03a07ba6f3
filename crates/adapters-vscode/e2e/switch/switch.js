// A new profile has the agent's extension switched off until an account is set up; a change of this setting switches it on.
const vscode = require('vscode');

exports.activate = async () => {
  const chat = vscode.workspace.getConfiguration('chat');
  if (chat.get('disableAIFeatures')) await chat.update('disableAIFeatures', false, vscode.ConfigurationTarget.Global);
};
