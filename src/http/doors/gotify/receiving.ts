// Receiving as Gotify's apps do: log-in, applications, messages and their deletion. The stream is in stream.ts.
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../operations/context.ts'
import { allApplications } from '../../../operations/doors/gotify/applications.ts'
import { addClient, allClients, changeClientName, removeClient } from '../../../operations/doors/gotify/clients.ts'
import { readMessages } from '../../../operations/doors/gotify/messages.ts'
import { removeMessage, removeMessages } from '../../../operations/doors/gotify/removal.ts'
import { readAppUser } from '../../../operations/doors/gotify/user.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { publicUrlFor } from '../../public-url.ts'
import { DOOR_ROUTE } from '../door.ts'
import { findCaller, gotifyToken, readName, readNumber, readPaging } from './request.ts'
import { applicationView, clientView, pageView, userView } from './views.ts'

export function receivingRoutes(scope: HttpServer, ctx: Context): void {
  scope.get('/current/user', DOOR_ROUTE, async (request) =>
    userView(await readAppUser(ctx, await findCaller(ctx, request))),
  )
  clientRoutes(scope, ctx)
  scope.get('/application', DOOR_ROUTE, async (request) =>
    (await allApplications(ctx, await findCaller(ctx, request))).map(applicationView),
  )
  messageRoutes(scope, ctx)
}

function clientRoutes(scope: HttpServer, ctx: Context): void {
  scope.get('/client', DOOR_ROUTE, async (request) => {
    const token = gotifyToken(request)
    const clients = await allClients(ctx, await findCaller(ctx, request))
    return clients.map((client) => clientView(client, client.isCaller ? token : undefined))
  })

  scope.post('/client', DOOR_ROUTE, async (request) => {
    const caller = await findCaller(ctx, request)
    const { client, token } = await addClient(ctx, caller, await readName(request))
    return clientView(client, token)
  })

  scope.put('/client/:id', DOOR_ROUTE, async (request) => {
    const caller = await findCaller(ctx, request)
    const client = await changeClientName(ctx, caller, readNumber(request), await readName(request))
    return clientView(client, undefined)
  })

  scope.delete('/client/:id', DOOR_ROUTE, async (request, reply) => {
    await removeClient(ctx, await findCaller(ctx, request), readNumber(request))
    return reply.send()
  })
}

function messageRoutes(scope: HttpServer, ctx: Context): void {
  const read = async (request: FastifyRequest, application: number | undefined) => {
    const caller = await findCaller(ctx, request)
    const { below, limit } = readPaging(request)
    const page = await readMessages(ctx, caller, publicUrlFor(ctx, request), { below, limit, application })
    return pageView(page, application === undefined ? '/message' : `/application/${application}/message`, limit)
  }
  scope.get('/message', DOOR_ROUTE, (request) => read(request, undefined))
  scope.get('/application/:id/message', DOOR_ROUTE, (request) => read(request, readNumber(request)))

  scope.delete('/message', DOOR_ROUTE, async (request, reply) => {
    await removeMessages(ctx, await findCaller(ctx, request), undefined)
    return reply.send()
  })
  scope.delete('/application/:id/message', DOOR_ROUTE, async (request, reply) => {
    await removeMessages(ctx, await findCaller(ctx, request), readNumber(request))
    return reply.send()
  })
  scope.delete('/message/:id', DOOR_ROUTE, async (request, reply) => {
    await removeMessage(ctx, await findCaller(ctx, request), readNumber(request))
    return reply.send()
  })
}
