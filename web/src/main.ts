// Mounts the client.

import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { speak } from './words'

document.documentElement.lang = speak(navigator.languages)
const target = document.getElementById('app')
target?.replaceChildren()
if (target) mount(App, { target })
