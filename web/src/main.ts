// Starts the client.

import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'

const target = document.getElementById('app')
target?.replaceChildren()
if (target) mount(App, { target })
