import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Who may stay when many connect. Any process of this computer can open connections and say nothing, say half, or read
 * nothing; so a new connection is never refused. The one that was quiet longest goes, unless it belongs to somebody who
 * is signed in, or waits for an answer that is being made.
 */
export interface Connections {
  /** Somebody who is signed in speaks on it. */
  keep(socket: Socket): void
  /** A whole request has arrived on it; call what comes back when its answer is made. */
  answering(socket: Socket): () => void
}

export const MOST_CONNECTIONS = 512

interface Place {
  isKept: boolean
  /** A request has come, and its answer is not out yet. */
  isAsking: boolean
  answers: number
}

export function limitConnections(server: Server, most = MOST_CONNECTIONS): Connections {
  /** The one that was quiet longest comes first. */
  const places = new Map<Socket, Place>()

  const heard = (socket: Socket, place: Place) => {
    places.delete(socket)
    places.set(socket, place)
  }

  server.on('connection', (socket: Socket) => {
    places.set(socket, { isKept: false, isAsking: false, answers: 0 })
    socket.once('close', () => places.delete(socket))
    if (places.size <= most) return
    const quiet = quietest(places)
    places.delete(quiet)
    quiet.destroy()
  })
  server.on('request', ({ socket }, res) => {
    const place = places.get(socket)
    if (!place) return
    heard(socket, place)
    // No browser asks again on a connection before it has the answer; whoever does has one turn like all others.
    if (place.isAsking) socket.destroy()
    place.isAsking = true
    res.once('close', () => {
      place.isAsking = false
    })
  })

  return {
    keep(socket) {
      const place = places.get(socket)
      if (place) place.isKept = true
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

function quietest(places: ReadonlyMap<Socket, Place>): Socket {
  let quiet: Socket | undefined
  for (const [socket, { isKept, answers }] of places) {
    if (!isKept && answers === 0) return socket
    quiet ??= socket
  }
  return quiet as Socket
}
