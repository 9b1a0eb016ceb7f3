import { expect, test } from 'vitest'
import { createSecretDoor, DOOR } from './secret-door.ts'

const LIMITS = { ...DOOR, free: 2, firstMs: 40, longestMs: 80, patienceMs: 150, room: 4 }

const wrong = async () => undefined

/** A guess that takes until it is told. */
function held<T>(answer: T) {
  let finish = () => {}
  const until = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { check: async () => until.then(() => answer), finish }
}

test('one secret is looked at at a time, whoever types it', async () => {
  const door = createSecretDoor(LIMITS)
  let under = 0
  let most = 0
  const look = async () => {
    most = Math.max(most, ++under)
    await new Promise((resolve) => setTimeout(resolve, 2))
    under--
    return 'right'
  }
  await Promise.all(['a', 'b', 'c', 'a', 'b', 'c'].map((lane) => door.enter(lane, look)))
  expect(most).toBe(1)
})

test('wrong ones slow their own lane down, up to a bound, and no other', async () => {
  const door = createSecretDoor(LIMITS)
  const waits: number[] = []
  for (let tries = 0; tries < 6; tries++) {
    const began = performance.now()
    await door.enter('strangers', wrong)
    waits.push(performance.now() - began)
  }
  expect(waits.slice(2).every((ms) => ms > 35)).toBe(true)
  const order: string[] = []
  const slow = door.enter('strangers', wrong).then(() => order.push('strangers'))
  await door.enter('known', async () => 'right').then(() => order.push('known'))
  await slow
  expect(order).toEqual(['known', 'strangers'])
})

test('a right one is looked at after any number of wrong ones', async () => {
  const door = createSecretDoor(LIMITS)
  for (let tries = 0; tries < 10; tries++) await door.enter('strangers', wrong)
  expect(await door.enter('strangers', async () => 'right')).toBe('right')
})

test('a crowd waits in bounded room; whoever has to go or waits too long is told so', async () => {
  const door = createSecretDoor(LIMITS)
  const first = held('right')
  const looking = door.enter('strangers', first.check)
  let looked = 0
  const others = Array.from({ length: 50 }, () => door.enter('strangers', async () => String(looked++)))
  const known = door.enter('known', async () => 'right')
  await new Promise((resolve) => setTimeout(resolve, 10))
  first.finish()
  expect(await looking).toBe('right')
  expect(await known).toBe('right')
  const answers = await Promise.all(others)
  expect([answers.filter((answer) => answer === 'busy').length, looked]).toEqual([46, 4])

  const endless = held('right')
  const stuck = door.enter('strangers', endless.check)
  expect(await door.enter('strangers', async () => 'right')).toBe('busy')
  endless.finish()
  await stuck
})

test('a look that fails is told to whoever asked, and the next one has its turn', async () => {
  const door = createSecretDoor(LIMITS)
  const broken = door.enter('strangers', () => Promise.reject(new Error('the disk')))
  await expect(broken).rejects.toThrow('the disk')
  expect(await door.enter('strangers', async () => 'right')).toBe('right')
})
