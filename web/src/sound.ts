// A short sound when the player's turn begins; off by default.

let context: AudioContext | undefined

export function chime(): void {
  context ??= new AudioContext()
  const now = context.currentTime
  for (const [at, pitch] of [[0, 523], [0.12, 784]] as const) {
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.frequency.value = pitch
    volume.gain.setValueAtTime(0.12, now + at)
    volume.gain.exponentialRampToValueAtTime(0.001, now + at + 0.35)
    tone.connect(volume).connect(context.destination)
    tone.start(now + at)
    tone.stop(now + at + 0.4)
  }
}
