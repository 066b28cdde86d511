// The current page, from the part of the address after #. Browsers never send that part, so tokens in it stay out of logs.

export interface Route {
  page: string
  rest: string[]
  query: URLSearchParams
}

/** #/replay/ID?step=3 is page "replay", rest ["ID"], query step=3. */
export function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [page = '', ...rest] = path.split('/').map(decodeURIComponent)
  return { page, rest: rest.filter(Boolean), query: new URLSearchParams(query) }
}

class Router {
  now = $state.raw<Route>(parse(location.hash))

  constructor() {
    window.addEventListener('hashchange', () => (this.now = parse(location.hash)))
  }
}

export const router = new Router()

export function to(...parts: string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`
}

export function go(...parts: string[]): void {
  location.hash = to(...parts)
}

/** A full address to share. */
export function link(...parts: string[]): string {
  return new URL(to(...parts), location.href).href
}
