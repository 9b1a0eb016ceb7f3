import { checksOf, skipped, verdict, warned } from '../check.ts'
import { scratch } from '../scratch.ts'

/** Not a rule of the specification: the suite leaves a server as it found it, or says what it left. */
export const CLEAN_UP = checksOf('Clean-up', 1, [
  {
    id: 'clean-up',
    requirements: [],
    title: 'What the suite has made is gone again',
    async run(target) {
      const made = await scratch(target)
      const left = await target.cleanUp()
      if (left.length > 0) return warned([...new Set(left)].join(' · '))
      return made ? verdict(1, 'runs cleaned up', []) : skipped('Nothing was made.')
    },
  },
])
