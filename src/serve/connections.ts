import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Which connections stay when many connect. Any process of this computer can open connections and send nothing, send
 * half a request, or read no answer; so a new connection is never refused, and another one is closed for it. First those
 * that carry no request and belong to nobody who has proved a name, the one that was silent longest before the others;
 * then one of whoever holds most, so that no named caller keeps the others out either.
 */
export interface Connections {
  /** A caller who has proved this name speaks on it. */
  keep(socket: Socket, name: string): void
  /** A whole request has arrived on it; call what comes back when its answer is made. */
  answering(socket: Socket): () => void
}

export interface ConnectionLimits {
  readonly most: number
  /** May a client send a request before it has the answer to the last one? Browsers never do. */
  readonly mayPipeline?: boolean
}

interface Place {
  /** Undefined until its caller has proved one. */
  name: string | undefined
  /** A request has come, and its answer is not out yet. */
  isAsking: boolean
  answers: number
}

export function limitConnections(server: Server, { most, mayPipeline = false }: ConnectionLimits): Connections {
  /** The one that was silent longest comes first. */
  const places = new Map<Socket, Place>()

  const heard = (socket: Socket, place: Place) => {
    places.delete(socket)
    places.set(socket, place)
  }

  server.on('connection', (socket: Socket) => {
    places.set(socket, { name: undefined, isAsking: false, answers: 0 })
    socket.once('close', () => places.delete(socket))
    const closing = places.size > most ? connectionToClose(places, socket) : undefined
    if (!closing) return
    places.delete(closing)
    closing.destroy()
  })
  server.on('request', ({ socket }, res) => {
    const place = places.get(socket)
    if (!place) return
    heard(socket, place)
    if (place.isAsking && !mayPipeline) socket.destroy()
    place.isAsking = true
    res.once('close', () => {
      place.isAsking = false
    })
  })

  return {
    keep(socket, name) {
      const place = places.get(socket)
      if (place) place.name = name
    },
    answering(socket) {
      const place = places.get(socket)
      if (!place) return () => {}
      place.answers++
      return () => {
        place.answers--
        if (places.has(socket)) heard(socket, place)
      }
    },
  }
}

function connectionToClose(places: ReadonlyMap<Socket, Place>, fresh: Socket): Socket | undefined {
  const counts = new Map<string | undefined, number>()
  for (const [socket, { name, answers }] of places) {
    if (socket === fresh) continue
    if (name === undefined && answers === 0) return socket
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const largest = Math.max(...counts.values())
  let silent: Socket | undefined
  for (const [socket, { name, answers }] of places) {
    if (socket === fresh || counts.get(name) !== largest) continue
    if (answers === 0) return socket
    silent ??= socket
  }
  return silent
}
