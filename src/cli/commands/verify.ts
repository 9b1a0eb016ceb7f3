import { defineCommand, EXIT, stop } from '../command.ts'
import { atDesk, storeOptions, withTerminal } from '../open-operator.ts'

export const verify = defineCommand({
  name: 'verify',
  summary: 'Answer a verification with the code that you were shown.',
  usage: ['ID'],
  about: [
    'The code stands in the console or in the dialog, beside what it allows. It is typed at the terminal, unseen, and never given as an argument. One wrong code ends the verification.',
  ],
  examples: ['mcpaql verify 0b0c7f5e-6a0e-4a3b-9d37-6f0f5c1f1a52'],
  options: storeOptions(),
  positionals: [1, 1],

  async run({ values, positionals: [id = ''] }, world) {
    return atDesk(values, world, async ({ store, clock, operator }) => {
      return withTerminal(world, async (terminal) => {
        const { displayText } = await import('../../core/display.ts')
        const { isFailure } = await import('../../protocol/result.ts')
        const { verifyChallenge } = await import('../../core/verification/verify-challenge.ts')
        const challenge = await operator.challenges.get(id)
        if (challenge?.state === 'waiting') {
          return stop(EXIT.waiting, 'No code was shown yet', 'Open the verification in the console: mcpaql console')
        }
        terminal.write(challenge ? `Verification for the agent ${displayText(challenge.element_name)}\n` : '')
        const code = await terminal.readSecret('Code: ')
        if (code === undefined || code.trim() === '') return stop(EXIT.waiting, 'Broken off. Nothing was verified')
        const order = { challenge_id: id, code, session: 'terminal', principal: 'operator', isOperator: true }
        const result = await verifyChallenge(store, clock, order)
        if (isFailure(result)) return stop(EXIT.denied, `${result.error.code}: ${result.error.message}`)
        terminal.write(result.blockLifted ? LIFTED : VERIFIED)
        return EXIT.ok
      })
    })
  },
})

const VERIFIED = 'Verified. The agent may do this one thing, once, within five minutes.\n'
const LIFTED = 'Verified. The agent is no longer stopped and may do this one thing, once, within five minutes.\n'
