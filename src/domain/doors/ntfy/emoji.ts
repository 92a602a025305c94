// Tags of ntfy that its apps show as emoji before the title. These are the names of the emoji that senders use for their
// messages; any other tag stays a tag.

const TABLE = `
+1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 ok_hand 👌 clap 👏 wave 👋 raised_hands 🙌 pray 🙏 muscle 💪 point_right 👉
point_left 👈 point_up 👆 point_down 👇 hand ✋ raised_hand ✋ v ✌️ crossed_fingers 🤞 writing_hand ✍️ eyes 👀 eye 👁️ brain 🧠
grinning 😀 smiley 😃 smile 😄 grin 😁 laughing 😆 joy 😂 rofl 🤣 wink 😉 blush 😊 heart_eyes 😍 sunglasses 😎 thinking 🤔
neutral_face 😐 confused 😕 worried 😟 cry 😢 sob 😭 angry 😠 rage 😡 scream 😱 flushed 😳 sleeping 😴 zzz 💤 nauseated_face 🤢 mask 😷
facepalm 🤦 man_facepalming 🤦‍♂️ woman_facepalming 🤦‍♀️ shrug 🤷 partying_face 🥳 exploding_head 🤯 hot_face 🥵 cold_face 🥶
skull 💀 skull_and_crossbones ☠️ ghost 👻 alien 👽 robot 🤖 poop 💩 hankey 💩 clown_face 🤡 imp 👿 see_no_evil 🙈
warning ⚠️ rotating_light 🚨 no_entry ⛔ no_entry_sign 🚫 stop_sign 🛑 construction 🚧 radioactive ☢️
biohazard ☣️ sos 🆘 bangbang ‼️ interrobang ⁉️ exclamation ❗ heavy_exclamation_mark ❗ grey_exclamation ❕ question ❓
grey_question ❔ x ❌ o ⭕ negative_squared_cross_mark ❎ heavy_check_mark ✔️ white_check_mark ✅ ballot_box_with_check ☑️
heavy_plus_sign ➕ heavy_minus_sign ➖ heavy_multiplication_x ✖️ 100 💯 ok 🆗 new 🆕 up 🆙 cool 🆒 free 🆓 information_source ℹ️
red_circle 🔴 orange_circle 🟠 yellow_circle 🟡 green_circle 🟢 large_blue_circle 🔵 purple_circle 🟣 white_circle ⚪
black_circle ⚫ red_square 🟥 orange_square 🟧 yellow_square 🟨 green_square 🟩 blue_square 🟦 black_large_square ⬛
white_large_square ⬜ arrow_up ⬆️ arrow_down ⬇️ arrow_left ⬅️ arrow_right ➡️ arrow_upper_right ↗️ arrow_lower_right ↘️
arrows_counterclockwise 🔄 arrows_clockwise 🔃 repeat 🔁 arrow_forward ▶️ pause_button ⏸️ stop_button ⏹️ fast_forward ⏩ rewind ⏪
chart_with_upwards_trend 📈 chart_with_downwards_trend 📉 bar_chart 📊 heart ❤️ broken_heart 💔 green_heart 💚 blue_heart 💙
yellow_heart 💛 purple_heart 💜 black_heart 🖤 sparkling_heart 💖 star ⭐ star2 🌟 sparkles ✨ boom 💥 collision 💥 fire 🔥 zap ⚡
dizzy 💫 tada 🎉 confetti_ball 🎊 balloon 🎈 gift 🎁 birthday 🎂 trophy 🏆 medal_sports 🏅 1st_place_medal 🥇 dart 🎯 crown 👑
gem 💎 bell 🔔 no_bell 🔕 mega 📣 loudspeaker 📢 speech_balloon 💬 thought_balloon 💭 left_speech_bubble 🗨️ speaker 🔈 mute 🔇
sound 🔉 loud_sound 🔊 musical_note 🎵 notes 🎶 headphones 🎧 microphone 🎤 studio_microphone 🎙️ radio 📻 tv 📺 movie_camera 🎥
clapper 🎬 camera 📷 camera_flash 📸 video_camera 📹 film_strip 🎞️ art 🎨 computer 💻 desktop_computer 🖥️ printer 🖨️
keyboard ⌨️ computer_mouse 🖱️ floppy_disk 💾 cd 💿 dvd 📀 minidisc 💽 iphone 📱 phone ☎️ telephone ☎️ telephone_receiver 📞
calling 📲 battery 🔋 low_battery 🪫 electric_plug 🔌 bulb 💡 flashlight 🔦 candle 🕯️ satellite 📡 artificial_satellite 🛰️
signal_strength 📶 globe_with_meridians 🌐 link 🔗 lock 🔒 unlock 🔓 closed_lock_with_key 🔐 key 🔑 old_key 🗝️ shield 🛡️
hammer 🔨 wrench 🔧 hammer_and_wrench 🛠️ gear ⚙️ nut_and_bolt 🔩 toolbox 🧰 magnet 🧲 test_tube 🧪 microscope 🔬 telescope 🔭
package 📦 mailbox 📫 mailbox_with_mail 📬 email 📧 e-mail 📧 envelope ✉️ incoming_envelope 📨 inbox_tray 📥 outbox_tray 📤
memo 📝 pencil 📝 pencil2 ✏️ clipboard 📋 bookmark 🔖 label 🏷️ paperclip 📎 pushpin 📌 round_pushpin 📍 scroll 📜
page_facing_up 📄 newspaper 📰 book 📖 books 📚 notebook 📓 ledger 📒 file_folder 📁 open_file_folder 📂 card_index_dividers 🗂️
file_cabinet 🗄️ wastebasket 🗑️ calendar 📆 date 📅 spiral_calendar 🗓️ hourglass ⌛ hourglass_flowing_sand ⏳ watch ⌚
alarm_clock ⏰ stopwatch ⏱️ timer_clock ⏲️ clock1 🕐 clock12 🕛 mantelpiece_clock 🕰️ mag 🔍 mag_right 🔎 scissors ✂️
moneybag 💰 money_with_wings 💸 dollar 💵 euro 💶 credit_card 💳 receipt 🧾 shopping_cart 🛒 shopping 🛍️ bug 🐛 beetle 🪲 lady_beetle 🐞
ant 🐜 spider 🕷️ spider_web 🕸️ mouse 🐭 mouse2 🐁 rat 🐀 cat 🐱 cat2 🐈 dog 🐶 dog2 🐕 paw_prints 🐾 facepunch 👊 bird 🐦
penguin 🐧 whale 🐳 whale2 🐋 snake 🐍 crab 🦀 elephant 🐘 turtle 🐢 rabbit 🐰 fox_face 🦊 bear 🐻 unicorn 🦄 octopus 🐙 fish 🐟
rocket 🚀 airplane ✈️ helicopter 🚁 ship 🚢 anchor ⚓ car 🚗 red_car 🚗 blue_car 🚙 taxi 🚕 bus 🚌 truck 🚚 train 🚋 bike 🚲
ambulance 🚑 fire_engine 🚒 police_car 🚓 fuelpump ⛽ parking 🅿️ traffic_light 🚥 vertical_traffic_light 🚦 checkered_flag 🏁
triangular_flag_on_post 🚩 white_flag 🏳️ house 🏠 house_with_garden 🏡 office 🏢 hospital 🏥 bank 🏦 school 🏫 factory 🏭
building_construction 🏗️ door 🚪 window 🪟 bed 🛏️ couch_and_lamp 🛋️ bathtub 🛁 shower 🚿 toilet 🚽 broom 🧹 soap 🧼 thermometer 🌡️
fire_extinguisher 🧯 sunny ☀️ sun_with_face 🌞 partly_sunny ⛅ cloud ☁️ cloud_with_rain 🌧️ cloud_with_snow 🌨️
cloud_with_lightning 🌩️ cloud_with_lightning_and_rain ⛈️ snowflake ❄️ snowman ⛄ umbrella ☔ droplet 💧 sweat_drops 💦 ocean 🌊
wind_face 🌬️ tornado 🌪️ fog 🌫️ rainbow 🌈 crescent_moon 🌙 full_moon 🌕 earth_africa 🌍 earth_americas 🌎 earth_asia 🌏 volcano 🌋
seedling 🌱 evergreen_tree 🌲 deciduous_tree 🌳 palm_tree 🌴 cactus 🌵 four_leaf_clover 🍀 maple_leaf 🍁 fallen_leaf 🍂 leaves 🍃
rose 🌹 tulip 🌷 sunflower 🌻 mushroom 🍄 apple 🍎 banana 🍌 cherries 🍒 strawberry 🍓 lemon 🍋 pizza 🍕 hamburger 🍔 bread 🍞
cheese 🧀 egg 🥚 cake 🍰 cookie 🍪 coffee ☕ tea 🍵 beer 🍺 beers 🍻 wine_glass 🍷 champagne 🍾 soccer ⚽ basketball 🏀 tennis 🎾
video_game 🎮 joystick 🕹️ game_die 🎲 jigsaw 🧩 runner 🏃 running 🏃 walking 🚶 dancer 💃 detective 🕵️ cop 👮 construction_worker 👷
technologist 🧑‍💻 man_technologist 👨‍💻 woman_technologist 👩‍💻 baby 👶 older_man 👴 older_woman 👵 family 👪 santa 🎅 christmas_tree 🎄
jack_o_lantern 🎃 pill 💊 syringe 💉 stethoscope 🩺 dna 🧬 crystal_ball 🔮 bomb 💣 gun 🔫 knife 🔪 hole 🕳️ recycle ♻️
infinity ♾️ copyright ©️ registered ®️ tm ™️ de 🇩🇪 us 🇺🇸 gb 🇬🇧 uk 🇬🇧 fr 🇫🇷 es 🇪🇸 it 🇮🇹 jp 🇯🇵 cn 🇨🇳 eu 🇪🇺 european_union 🇪🇺`

const EMOJI = new Map(pairsOf(TABLE.trim().split(/\s+/)))

function pairsOf(words: string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let i = 0; i < words.length; i += 2) pairs.push([words[i] as string, words[i + 1] as string])
  return pairs
}

export const emojiNamed = (name: string): string | undefined => EMOJI.get(name)

// The emoji of tags that name one, each with a space behind it.
export const emojiPrefix = (tags: string[] = []): string =>
  tags.map((tag) => (EMOJI.has(tag) ? `${EMOJI.get(tag)} ` : '')).join('')
