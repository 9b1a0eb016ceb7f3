import { defineCommand, EXIT, stop } from '../command.ts'
import { asOperator, atDesk, storeOptions, withTerminal } from '../open-operator.ts'

export const secret = defineCommand({
  name: 'secret',
  summary: 'Set or change the operator secret.',
  usage: ['set', 'change'],
  about: [
    'Whoever knows the secret decides what agents may do. It is typed at the terminal and nowhere kept: the store holds what it takes to recognise it. There is no way to read it back.',
  ],
  examples: ['mcpaql secret set', 'mcpaql secret change'],
  options: storeOptions(),
  positionals: [1, 1],

  async run({ values, positionals: [what] }, world) {
    if (what !== 'set' && what !== 'change')
      return stop(EXIT.badUsage, `There is no secret ${what}`, 'mcpaql secret set, mcpaql secret change')
    const { changeSecret, setSecret } = await import('../../channels/operator-secret.ts')
    return atDesk(values, world, (desk) =>
      what === 'set'
        ? withTerminal(world, async (terminal) => {
            const done = await setSecret(terminal, desk.account)
            if (done === 'exists')
              return stop(EXIT.failed, 'A secret is set already', 'To change it: mcpaql secret change')
            if (done === 'broken_off') return stop(EXIT.waiting, 'Broken off. No secret is set')
            terminal.write('The secret is set.\n')
            return EXIT.ok
          })
        : asOperator(world, desk, async (right, terminal) => {
            const done = await changeSecret(terminal, desk.account, right)
            if (done === 'set') {
              terminal.write('The secret is changed. Log-in links made before are void.\n')
              return EXIT.ok
            }
            return stop(
              done === 'stale' ? EXIT.denied : EXIT.waiting,
              done === 'stale' ? 'That took too long. The old secret stays' : 'Broken off. The old secret stays',
            )
          }),
    )
  },
})
