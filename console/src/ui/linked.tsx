// Plain text with its web addresses as links.

const ADDRESS = /(https?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?])/g

// Web addresses become links; all other text stays plain.
export function Linked({ text }: { text: string }) {
  return (
    <>
      {text.split(ADDRESS).map((part, index) =>
        index % 2 === 1 ? (
          <a key={index} href={part} target="_blank" rel="noopener noreferrer">
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </>
  )
}
