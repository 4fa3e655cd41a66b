/** Tells once that the index waits for something that ends by itself, and takes the message away when it has ended. */
import * as vscode from 'vscode';
import type { Server } from './server';
import { isWaiting, statusView, type ScoutStatus } from './statusText';
import { words } from './words';

/** Shows a message while an index waits. Progress is the one kind of notification that an extension can take away. */
export function tellWaiting(server: Server): vscode.Disposable {
  let told: ScoutStatus['state'] | undefined;
  let end: (() => void) | undefined;
  let report: ((message: string) => void) | undefined;
  const show = (status: ScoutStatus): void => {
    const { text, detail } = statusView(status, words());
    // while it goes on the message stays, with what it does now: the disk may be full again in a moment
    if (status.state === 'indexing' || (told !== undefined && status.state === told)) {
      report?.(status.state === 'indexing' ? text : detail);
      return;
    }
    end?.();
    end = report = undefined;
    told = isWaiting(status) ? status.state : undefined;
    if (!told) {
      return;
    }
    const options = { location: vscode.ProgressLocation.Notification, title: 'BSL Scout', cancellable: true };
    void vscode.window.withProgress(options, (progress, token) => {
      report = message => progress.report({ message });
      report(detail);
      return new Promise<void>(resolve => {
        end = resolve;
        // the user has read it
        token.onCancellationRequested(() => {
          report = undefined;
          resolve();
        });
      });
    });
  };
  return vscode.Disposable.from(server.onStatus(show), { dispose: () => end?.() });
}
