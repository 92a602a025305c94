// Reads the QR code that an element of a page shows, as a camera would: from its pixels.
import type { Locator } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'

type Pixels = { width: number; height: number; base64: string }

export async function readQrCode(element: Locator): Promise<string> {
  const png = (await element.screenshot()).toString('base64')
  // A blank page, because the content security policy of ours forbids images from data.
  const page = await element.page().context().newPage()
  const { width, height, base64 } = (await page.evaluate(`(async () => {
    const picture = await createImageBitmap(await (await fetch('data:image/png;base64,${png}')).blob())
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
    canvas.drawImage(picture, 0, 0)
    const { width, height, data } = canvas.getImageData(0, 0, picture.width, picture.height)
    return { width, height, base64: btoa(Array.from(data, (value) => String.fromCharCode(value)).join('')) }
  })()`)) as Pixels
  await page.close()
  return decodeQR({ width, height, data: Uint8ClampedArray.from(Buffer.from(base64, 'base64')) })
}
