import type { ChannelSettings } from '../../core/autonomy/read-safety-policy.ts'
import type { DisplayChannel } from '../../core/ports/channel.ts'
import type { World } from '../world.ts'

/** OOB-05: where codes can be shown here. An empty list is possible, and then codes fail closed (OOB-06). */
export async function displayChannels(
  { osDialog = true }: ChannelSettings,
  hasConsole: boolean,
  { platform, env, now }: Pick<World, 'platform' | 'env' | 'now'>,
): Promise<readonly DisplayChannel[]> {
  const { createOsDialog, hasOsDialog } = await import('../../channels/os-dialog.ts')
  const place = { platform, env }
  return [
    ...(osDialog && hasOsDialog(place) ? [createOsDialog({ ...place, clock: { now } })] : []),
    ...(hasConsole ? [{ kind: 'console', name: 'console', where: 'the web console (mcpaql console)' } as const] : []),
  ]
}
