/** Asks the server. */
import * as vscode from 'vscode';
import { FindLogic, type Method } from './methods';
import type { Answer, FindLogicParams, Hit } from './protocol';
import { rootName } from './place';
import type { Server } from './server';

/** What was asked and what came: the tree of pinned results keeps one. */
export interface Found {
  params: FindLogicParams;
  answer: Answer;
}

/** Asks the server, and again when it dies over the question; rejects with a ServerProblem when it does not run. */
export async function ask<P, R>(
  server: Server,
  request: Method<P, R>,
  params: P,
  signal?: AbortSignal,
  again = true,
): Promise<R> {
  const client = await server.ready();
  signal?.throwIfAborted();
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal?.addEventListener('abort', cancel);
  try {
    return await client.sendRequest<R>(request.name, params, source.token);
  } catch (error) {
    if (again && !signal?.aborted && server.current !== client) {
      return ask(server, request, params, signal, false);
    }
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** Asks for logic; hits of several workspace folders are told apart by their folder. */
export async function findLogic(server: Server, params: FindLogicParams, signal?: AbortSignal): Promise<Answer> {
  const answer = await ask(server, FindLogic, params, signal);
  const several = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  return several ? { ...answer, hits: answer.hits.map(withFolder) } : answer;
}

function withFolder(hit: Hit): Hit {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(hit.uri))?.name;
  const root = [folder, rootName(hit)].filter(Boolean).join('/');
  return { ...hit, root: root || hit.root };
}
