// One sentence per table of the database, and one per column whose name does not say what it holds. Grouped into the
// areas under which docs/data-model.md prints them.
//
// `refersTo` names the table that a column points at without a foreign key, because the row outlives that table's row
// or is written before it.

export const AREAS = [
  {
    title: 'Accounts and access',
    tables: {
      users: {
        is: 'An account, with a plan: a person or an organization.',
        columns: {
          kind: '`person`, `organization`, or `closed-organization` while a job deletes an organization.',
          name: 'How the operator names the account on the command line; of an organization, its id.',
          nickname: 'How the person wants to be addressed; null until it is set. The name of an organization.',
          plan: '`free`, `paid`, or a plan of the operator; decides quotas and caps.',
          is_operator: '1: the person runs this server and may see its state.',
          holds_pushes:
            '1: the account may have mutes or quiet hours. Read with the token, so that a send reads neither table without need.',
          sponsor_id:
            'The person whose invitations made the account, or made the account that invited it; null for people whom the operator added. It counts against their limit.',
        },
        refersTo: { sponsor_id: 'users' },
      },
      tokens: {
        is: 'A full-access token (`hla_`, the person), a widget token (`hlw_`, the widget extension of one device) or the password of a phone app.',
        columns: {
          hash: 'SHA-256 of the secret. The secret itself is not stored.',
          kind: '`hla`, `hlw`, or the service of the app: `ntfy` or `gotify`.',
          name: 'What signed in: a browser or a program, made of its User-Agent.',
          is_console: 'Whether the token is the cookie of a browser.',
          last_used_at: 'To the minute.',
          device_id: 'The device that the token was issued to; null for a token that belongs to no device.',
        },
        refersTo: { device_id: 'devices' },
      },
      sign_in_codes: {
        is: 'A one-time code that signs a person in to the console. Using a code deletes its row.',
        columns: {
          hash: 'SHA-256 of the code.',
          expires_at: 'Null for the link that the person keeps, one per account.',
        },
      },
      sign_in_requests: {
        is: 'A browser that waits until the person approves it on a device where they are signed in. Fetching the session deletes the row.',
        columns: {
          code: 'What both screens show.',
          secret_hash: 'SHA-256 of the secret with which the browser fetches its session.',
          browser: 'Made of its User-Agent.',
          address: 'From where it asked.',
          user_id: 'The account that has approved it; null until then.',
        },
      },
      daily_limits: {
        is: 'How often something was done on a day that people without an account may do only a few times.',
        columns: {
          key: 'What is limited, and an HMAC of the address that it is limited for.',
          day: 'YYYYMMDD in UTC.',
        },
      },
      passkeys: {
        is: 'A passkey (WebAuthn credential) with which the person signs in to the console.',
        columns: {
          credential_id: 'How the authenticator names it, in base64url.',
          public_key: 'COSE key in base64url.',
          counter: 'Signatures so far, as the authenticator counts them; 0 if it does not. It may never go back.',
          is_synced: '1: the authenticator keeps a copy elsewhere, such as in a cloud account.',
          transports: 'JSON array: how a browser reaches the authenticator.',
        },
      },
      apple_identities: {
        is: 'The account that belongs to an Apple subject (Sign in with Apple).',
        columns: {
          subject: 'The `sub` claim of the identity token.',
          user_id:
            'Checked at the commit (deferred): the row is inserted before the account, because it decides which of two concurrent first sign-ins creates the account.',
        },
      },
      used_nonces: {
        is: 'Nonces of Apple identity tokens that were used, so that a token cannot be replayed before it expires.',
        columns: { hash: 'SHA-256 of the nonce.' },
      },
      integration_keys: {
        is: 'An integration key (`hlk_`): what one program may do in the account.',
        columns: {
          hash: 'SHA-256 of the secret; replaced when the key is rolled.',
          is_default: '1 for the key that every account is created with; at most one per account.',
          permissions: 'JSON object: the level per resource, such as `"widgets": "write"`.',
          activity_slugs: 'JSON array of the activity slugs the key may use; empty means every slug.',
          widget_slugs: 'JSON array of the widget slugs the key may use; empty means every slug.',
          target:
            'JSON object: the ids of groups, tags and members that a key of an organization is limited to; null for no limit.',
          last_used_at: 'Written at most once a minute per key.',
          storm_limit: 'Pushes a minute beyond which its messages are stored only; null for no limit.',
          sound: 'Of notifications whose sender asks for none.',
        },
      },
      key_aliases: {
        is: 'A token of a key in the form that senders of another service expect. It sends through that door only.',
        columns: { door: 'The service: `ntfy`, `gotify` or `pushover`.', hash: 'SHA-256 of the token.' },
      },
      imported_items: {
        is: 'A message that an import from ntfy or Gotify has brought, so that a second run brings nothing twice.',
        columns: { item: 'The door and the id of the message there.' },
      },
      key_numbers: {
        is: 'The number of a key, for senders and apps that know applications by integers. Given at its first use there.',
        columns: {},
      },
      gotify_clients: {
        is: 'A token that the Gotify app on a device got when it logged in with the password of the device.',
        columns: {
          number: 'The id of the client in Gotify.',
          token_hash: 'The token; the client goes with it.',
        },
        refersTo: { device_id: 'devices' },
      },
      hooks: {
        is: 'A webhook: the address at which another program reports what happened, and how its reports are read.',
        columns: {
          hash: 'SHA-256 of the token at the end of the address.',
          secret: 'What senders sign with, in clear, because a signature is checked by computing it.',
          template: 'JSON object of Liquid templates per field; only of the kind `template`.',
          options: 'JSON object: level, acknowledge_from, resolved, as, events.',
          requests: 'The number of the last request.',
          storm_limit: 'Pushes a minute beyond which its messages are stored only; null for no limit.',
        },
      },
      hook_requests: {
        is: 'One of the last 10 requests that a hook got, kept for 7 days.',
        columns: {
          headers: 'JSON object, without credentials.',
          body: 'The first 64 KB.',
          body_encoding: '`utf-8`, or `base64` for a body that is no text.',
          outcome: 'JSON object: what became of it.',
        },
      },
      usage: {
        is: 'What an account has used of each quota in the current month and on the current day.',
        columns: {
          kind: 'The quota, such as `notifications` or `email_confirmations`.',
          month: 'The month that `month_used` counts, as the number YYYYMM (UTC).',
          day: 'The day that `day_used` counts, as the number YYYYMMDD (UTC).',
        },
      },
      daily_counts: {
        is: 'How many notifications an account has sent on a day, and how many requests were refused. Written every few seconds from memory; quotas are counted in `usage`.',
        columns: {
          day: 'The number of the day since 1970 (UTC).',
          key_id: "The key that sent them; '' if the person did.",
          source: "Their source; '' for none, and for new sources beyond 100 rows a day.",
          outcome: '`sent`, `muted`, `quiet_hours`, `storm`, or the code of the problem with which they were refused.',
        },
        refersTo: { key_id: 'integration_keys' },
      },
      daily_deliveries: {
        is: 'How many notifications a device was sent on a day, by outcome. Written every few seconds from memory.',
        columns: {
          day: 'The number of the day since 1970 (UTC).',
          outcome: '`accepted`, `refused`, or `not_connected` for a device that is reached only while it is connected.',
        },
        refersTo: { device_id: 'devices' },
      },
      idempotency_keys: {
        is: 'An `Idempotency-Key` that was used, and the response to replay. Inserted in the transaction of the change it guards.',
        columns: {
          owner: '`key:<id>` or `user:<id>`: two senders may use the same key.',
          route: 'The endpoint: the same key may be used on two of them.',
          body_hash: 'SHA-256 of the request body, to refuse the same key with another body.',
          resource_id: 'The notification, schedule or e-mail that the request created.',
          answer: 'The response as JSON; null while the first request is running, or if its node died.',
        },
      },
    },
  },
  {
    title: 'Organizations',
    tables: {
      org_sends: {
        is: 'A notification of an organization: whom it was sent to. Decided once, when it was accepted. The notification itself, the head, is a row of `notifications` of the organization.',
        columns: {
          head_id: 'The head. No foreign key: the row outlives a head that was recalled until its entries are removed.',
          target: 'The target as the sender gave it; null for everyone.',
          target_ids: 'The ids of groups, tags and members behind it, within the limit of the key.',
          collapse_id: 'The one that the pushes carry.',
          members: 'How many members it reaches.',
          devices: 'How many of their devices are pushed to.',
        },
        refersTo: { head_id: 'notifications', org_id: 'users' },
      },
      former_organizations: {
        is: 'The last name of an organization that was deleted. Kept as long as the database: its notifications stay in the inboxes of its members, for as long as each of them keeps them.',
      },
      org_recipients: {
        is: 'A member whom a notification of an organization reaches. Leads from the head to the entries and back.',
        columns: {
          entry_id:
            "The row of the member's inbox; null until a step of the fan-out has written it. Stays when the member deletes the entry.",
          step: 'The step of the escalation policy that has added the member; null for members of the first target.',
        },
        refersTo: { head_id: 'notifications', entry_id: 'notifications', user_id: 'users' },
      },
      memberships: {
        is: 'A person is a member of an organization. Deleting the row also ends the memberships in groups.',
        columns: {
          role: '`owner`, `admin` or `member`.',
          muted_until: 'The member gets no pushes of the organization until then; null if not muted.',
        },
      },
      org_groups: {
        is: 'A named set of members. The view `group_members` has the members of the current sets.',
        columns: { set_id: 'The current set; replacing the members of a group replaces this id.' },
        refersTo: { set_id: 'group_sets' },
      },
      group_sets: {
        is: 'A set of members that is, was or is about to be the set of a group. Housekeeping deletes those that are not.',
        columns: {},
      },
      group_set_members: {
        is: 'A member is in a set. Written and deleted in batches, because a set may have ten thousand members.',
        columns: {},
        refersTo: { set_id: 'group_sets' },
      },
      org_tags: {
        is: 'A word that the organization uses as a target. Devices of members carry it if `device_tags` says so.',
        columns: {},
      },
    },
  },
  {
    title: 'Devices',
    tables: {
      devices: {
        is: 'A device of an account: a phone, a tablet or a browser.',
        columns: {
          id: 'Chosen by the device; unique within the account only.',
          tags: 'JSON array of labels the person gave the device.',
          options: 'JSON object: what the person has chosen for an app of another service.',
          last_seen_at: 'The last registration or check-in by the device itself.',
        },
      },
      device_tags: {
        is: 'A tag of a device, as in `devices.tags`. A row of its own, so that organizations find devices by tag.',
        columns: {},
      },
      device_pushes: {
        is: 'The outcome of the newest push to a device. Separate from `devices` because it changes with every push, and cached device rows must not.',
        columns: { at: 'When the newest push was sent.', error: 'Why it failed; null when the provider accepted it.' },
      },
      app_topics: {
        is: 'A topic that the ntfy app of a device has asked for. Filled only if the server wakes iPhones through ntfy.sh.',
        columns: { url: 'The address of the topic as the app has it, which the app hashes.' },
        refersTo: { user_id: 'users' },
      },
      app_links: {
        is: 'How a phone with the Bark app is reached, and who asks to take its place.',
        columns: {
          kind: '`bark` (by APNs) or `bark_server` (through the server of somebody else).',
          host: 'That server, as it is shown.',
          sealed:
            'The address, with the encryption key of the app, sealed with the server’s `sealing.key`. It is in push_tokens too while pushes go there.',
          code_hash: 'SHA-256 of the code in the address with which the phone registers.',
          open_until: 'Until when the phone may register for the first time; null afterwards.',
          key_hash: 'SHA-256 of the key that the app got. It sends nothing.',
          refusals: 'Pushes in a row that the server has refused.',
          asks: 'JSON array: other phones that ask to take its place, each with its sealed token.',
          removal_asked_at: 'When the app said that this server was removed from it.',
          removal_notice_id: 'The notification that asks the person about it.',
          ended_at: 'Since when the phone is to get nothing.',
          withdrawals: 'Messages that were withdrawn in that hour.',
          withdrawals_hour: 'Hours since 1970.',
        },
        refersTo: { user_id: 'users', removal_notice_id: 'notifications' },
      },
      push_endpoints: {
        is: 'A name that the ntfy app of a device has asked for, at which servers of other apps on the phone post (UnifiedPush). It outlives the device by 90 days.',
        columns: {
          name_hash: 'SHA-256 of the name, which is the permission to post.',
          prefix: 'The beginning of the name, to be shown.',
          seen_at: 'When the app last asked for it.',
          ended_at: 'When the owner ended it.',
          fingerprint: 'Of the public key that signed the last message (VAPID).',
          subject: 'How to reach that sender, as they say.',
          pinned: '1: only that sender may post.',
          tokens: 'Messages that it may get at once, at `refilled_at`.',
          day: 'Of `messages_today`, as YYYYMMDD.',
        },
        refersTo: { user_id: 'users', device_id: 'devices' },
      },
      push_messages: {
        is: 'A message of UnifiedPush that waits for its app, or may be asked for again.',
        columns: {
          topic: 'By which a later message takes its place (RFC 8030).',
          body: 'In base64. Data of another app, usually encrypted.',
          priority: 'Of ntfy, 1 to 4.',
        },
      },
      push_tokens: {
        is: 'An address at which a device can be reached. Each address is replaced and deleted independently of the others.',
        columns: {
          kind: '`alert`, `widget`, `push_to_start`, `activity` (APNs), `web_push`, `bark` or `bark_server`.',
          activity_id:
            "The activity that an `activity` token updates, or the slug it was registered under if there is no such activity; '' for the other kinds, because it is part of the primary key.",
          token:
            'The APNs device token, the endpoint URL of a Web Push subscription, or the sealed address of a Bark phone.',
          environment: '`production` or `sandbox` (APNs only).',
          p256dh: 'Public key of the subscription (Web Push only).',
          auth: 'Authentication secret of the subscription (Web Push only).',
          registered_at:
            'A provider that reports a token as gone since a time deletes it only if it was registered before that time.',
        },
      },
      activity_shows: {
        is: 'What the ntfy or the Bark app of an account shows of an activity: one message that is updated in place.',
        columns: {
          app: '`ntfy` or `bark`.',
          run: 'The number of the start.',
          ring_count: 'How often it rang, which is part of the name of the message.',
          step: 'Counts what was shown; older messages are not handed out.',
          version: '`updated_at` of the activity that is shown.',
          hour: 'Hours since 1970, in which `shown_in_hour` are counted.',
          pending_job:
            'The job that pushes this step, until its push has ended; it goes on with it if its process dies.',
          pending_how: 'How that step is shown.',
        },
        refersTo: { activity_id: 'activities' },
      },
      activity_screens: {
        is: 'What a device shows of an activity. Outlives the activity, so that a device which still shows a deleted one can be told when it registers its token.',
        columns: {
          slug: 'The slug of the activity, by which a device may register its token.',
          run: 'The `activities.run` that the device shows; a lower number than the current one means it must be started again.',
          version: 'The `activities.updated_at` that the device shows.',
          starting_job: 'The job whose start push is under way; null once it was accepted.',
        },
        refersTo: { activity_id: 'activities' },
      },
    },
  },
  {
    title: 'Sharing and joining',
    tables: {
      join_codes: {
        is: 'A code by which others join what an account shares, or an organization. Stored readable, because those who gave it out see it again while it is open. Kept for a week after it has expired or, of a share, was used up.',
        columns: {
          kind: '`share` or `invitation`.',
          user_id: 'The account that shares, or the organization.',
          created_by: 'Who made it. An invitation is deleted when its maker is no longer a member.',
          role: '`viewer` or `editor` of a share, `member` or `admin` of an invitation.',
          activity_id: 'The activity that a share code is about; null if it is about a pattern.',
          slug_prefix: "A share code is about all activities whose slug begins with it; '' shares every activity.",
          group_ids:
            'JSON array of the groups that people join with an invitation; a group that was deleted since is left out.',
          last_used_at: 'Says since when a used-up code is kept.',
        },
      },
      join_code_bars: {
        is: 'A person who cannot use a code that was open when they were removed, or when they lost the role that it gives.',
      },
      shares: {
        is: 'What an account has joined. Ends with the activity, with either account, or when one of them deletes it.',
        columns: {
          user_id: 'The owner.',
          recipient_id: 'The account that joined.',
          role: '`viewer` or `editor`. An editor on the free plan is treated as a viewer.',
          slug_prefix: 'Null for a share of one activity.',
        },
      },
    },
  },
  {
    title: 'Notifications and receipts',
    tables: {
      notifications: {
        is: 'An entry of the inbox: the small columns that lists filter and sort by.',
        columns: {
          user_id:
            'No foreign key: its index would cost every send a page. Deleting an account deletes its inbox first.',
          key_id: 'The key that sent it; null when the person sent it.',
          level: '`passive`, `active`, `time-sensitive` or `critical`.',
          thread_id: 'Groups notifications on the device.',
          source: 'Name of the sending system, as the sender gave it.',
          pushed: '1 if devices are pushed to, 0 for an entry that is stored only.',
          bytes: 'Size of the row in `notification_contents`; counts towards `feeds.inbox_bytes`.',
          read_at: 'Null while unread.',
          snoozed_until: 'It is hidden from lists until then; null if it is not snoozed.',
          org_id: "The organization, on an entry in a member's inbox.",
          org_notification_id: 'The head that the entry belongs to.',
          collapse_id: 'As the sender gave it. The notification replaces the one before with the same id on devices.',
        },
        refersTo: { user_id: 'users', key_id: 'integration_keys' },
      },
      door_sequences: {
        is: 'Finds a message that came through a door by the name that its sender gave it.',
        columns: {
          door: 'The service whose sender sent it, such as `ntfy`.',
          channel: 'The topic, application or hook it was sent to.',
          sequence: 'By which its sender updates, clears or deletes it later.',
        },
        refersTo: { user_id: 'users' },
      },
      gotify_repeats: {
        is: 'The number under which Gotify apps know a repeat of an alert. Taken from the ids of notifications, so that numbers grow.',
        columns: { repeat: 'Counts the repeats of the alert, from 1.' },
      },
      files: {
        is: 'A file that a sender uploaded. Deleted when it expires, and with the notification or the schedule that has it; not part of a backup.',
        columns: {
          key_id: 'The key that uploaded it.',
          id: 'The end of its link. Everybody who knows it may read the file.',
          bytes: 'Its size; while the upload runs, the size it may have.',
          is_complete: '0 while the upload runs.',
        },
        refersTo: { user_id: 'users' },
      },
      file_chunks: {
        is: 'Content of files on PostgreSQL. With SQLite it is in the folder `files` of the data folder.',
        columns: { content: '192 KiB of the file in base64; the last chunk has the rest.' },
      },
      notification_contents: {
        is: 'The text of a notification. Separate from `notifications`, so that marking as read does not rewrite up to 90 KB.',
        columns: {
          search_text: 'Title and body in Unicode NFC and lower case; the inbox search matches it.',
          content: 'JSON document: title, body, actions, media, metadata and so on.',
          door: 'The service whose sender sent it, such as `gotify`; null for a send by the API.',
          door_channel: 'The topic, application or hook it was sent to.',
          door_message: "JSON document: the message in the sender's own words, which may say more than our fields.",
        },
      },
      timeline: {
        is: 'A step in the life of a notification: pushed, rejected, repeated, read, answered, acknowledged, called back.',
        columns: {
          event: 'The step, such as `push_accepted` or `read`.',
          device: 'Name of the device, as it was then.',
          detail: 'Reason of a rejection, status code of a callback, and similar.',
          sent_at: 'On the row of a push outcome: when the push was sent. The API shows such a row as two steps.',
        },
      },
      walls: {
        is: 'The order and sizes in which an account shows its widgets. The links to it are widget tokens without a device.',
        columns: {
          places: 'JSON array of `{slug, size}`; slugs without a widget have no effect.',
          shows_clock: '1 if the time is shown.',
        },
      },
      screen_links: {
        is: 'An address that shows chosen widgets and activities to everybody who has it.',
        columns: {
          hash: 'SHA-256 of the token in the address (`hls_`).',
          widgets: 'JSON array of slugs, and of prefixes with a trailing `*`.',
          activities: 'The same for activities.',
          shows_wall: '1 if it shows the wall.',
          theme: 'Of pictures whose address has no theme; null for light.',
          lang: 'Null for English.',
          time_zone: 'Null for UTC.',
          opens_taps: '1 if the address that a tap opens is shown.',
          last_used_at: 'To ten minutes.',
        },
      },
      mutes: {
        is: 'A source, a thread or a key whose notifications are stored and not pushed until a time.',
        columns: { kind: '`source`, `thread_id` or `key_id`.', value: 'Which source, thread or key.' },
      },
      quiet_hours: {
        is: 'When the devices of an account stay silent. One `send-digest` job waits at the end if something was held.',
        columns: {
          timezone: 'IANA name of the zone in which the windows are given.',
          windows: 'JSON array of `{days, from, to}`.',
          passes: 'The lowest level that is pushed all the same: `time-sensitive` or `critical`.',
          digest: '1: a push at the end tells what was held.',
          until: 'End of "do not disturb until"; null for none.',
        },
      },
      held_notifications: {
        is: 'A notification that quiet hours have held and that no digest has told yet.',
        refersTo: { notification_id: 'notifications' },
      },
      storms: {
        is: 'What the storm shield of a key or a hook has counted, on all nodes together.',
        columns: {
          shield_id: 'Id of the key or the hook.',
          pushes: 'JSON array of the times of the last pushes, at most as many as the limit.',
          held: 'How many messages were held since the last summary.',
          held_level: 'The highest level among them, as its rank: 0 for `passive` to 3 for `critical`.',
          held_newest: 'The newest of them.',
        },
        refersTo: { held_newest: 'notifications' },
      },
      answers: {
        is: 'The answer to a notification with actions. Inserted as `pending` with the notification; the first answer fills it. Outlives the notification by up to 30 days.',
        columns: {
          actions: 'JSON array of the actions that were offered.',
          status: '`pending` or `answered`; the conditional update on it decides which answer is first.',
          action_id: 'The action that was chosen.',
          text: 'What the person typed, for an action that asks for text.',
          device: 'Id of the device that answered, as that device gave it.',
          has_receipt: 'Whether it is an alert, which waits for an answer only while its receipt is active.',
        },
        refersTo: { notification_id: 'notifications', key_id: 'integration_keys' },
      },
      receipts: {
        is: 'The state of an alert that repeats until someone acknowledges it, and of its callback. Outlives the notification and the key by a week.',
        columns: {
          key_hash:
            'Hash of the secret that the alert was sent with: callbacks stay verifiable after the key is rolled or deleted.',
          status:
            '`active`, `acknowledged`, `expired` or `canceled`; the first conditional update away from `active` decides.',
          repeat_seconds: 'Time between two repeats.',
          tags: 'JSON array of labels by which receipts can be canceled together.',
          collapse_id: 'The collapse id the sender gave, if any.',
          escalation: 'JSON copy of the escalation policy at the time of the alert: slug, name and steps.',
          escalated_steps: 'How many of its steps have been taken; raised by compare-and-set.',
          group_id:
            'The alert that repeats and escalates for all alerts of a group, itself included; null outside of groups.',
          finished_at: 'When it left `active`.',
          acknowledged_by: 'The account that acknowledged it.',
          acknowledged_by_device: 'Name of the device on which it was acknowledged.',
          action_id: 'The action that acknowledged it.',
          callback_status: '`pending`, `delivered` or `failed`; null without a callback URL.',
          callback_attempts: 'Raised and committed before each attempt, so that a crash cannot repeat one uncounted.',
          callback_status_code: 'HTTP status of the last attempt that was answered.',
        },
        refersTo: { notification_id: 'notifications', key_id: 'integration_keys' },
      },
      open_waits: {
        is: 'A request that is held open by `?wait`, or a tool call of an agent that waits for a person, counted on all nodes against the limits of the account and of the key.',
        columns: {
          expires_at: 'When the row stops counting, should its node have died.',
          held_by: '`request` or `agent`: the two are counted apart.',
        },
      },
    },
  },
  {
    title: 'Heartbeats and escalation',
    tables: {
      heartbeats: {
        is: 'What a job pings while it is alive. One `judge-heartbeat` job waits for each that can become late or down, no later than that.',
        columns: {
          slug: 'By which requests name it, unique in the account.',
          token: 'The end of the ping address, in clear, because it is shown again to callers that may write.',
          settings: 'JSON document: the request with its defaults.',
          target_ids: 'JSON object: whom the alert reaches; only of organizations.',
          status: '`new`, `up`, `started`, `late`, `down` or `paused`.',
          due_at: 'When the next success is due; null before the first one and while it is down.',
          runs: 'JSON array: the runs that have started and not ended, oldest first.',
          run_until: 'When the oldest of them must have ended.',
          alert_id: 'The notification of the last alert while it is down.',
          pings: 'The number of pings so far.',
          minute_start: 'The minute of the last ping; `minute_pings` counts the pings in it.',
        },
        refersTo: { alert_id: 'notifications' },
      },
      escalations: {
        is: 'An escalation policy: what is done, step by step, while nobody acknowledges an alert. An alert carries a copy of it in `receipts`.',
        columns: {
          slug: 'By which requests name it, unique in the account.',
          steps: 'JSON array of the steps, with the ids behind the names of a target.',
        },
      },
      ping_keys: {
        is: 'The key of an account or an organization for pings by slug (`/ping/{key}/{slug}`). Made when it is first read.',
        columns: {
          ping_key: 'In clear, because it is shown again to callers that may write. It only lets somebody ping.',
        },
      },
      heartbeat_pings: {
        is: 'One of the last 100 pings of a heartbeat.',
        columns: {
          slot: 'The remainder of `number` by 100: a new ping overwrites the row of the oldest.',
          kind: '`success`, `start`, `fail` or `log`.',
          duration_ms: 'From the start of the run that it ended.',
          body: 'The first 10 KB.',
        },
      },
      service_alive: {
        is: 'One row, stamped every ten seconds by any node. After a longer gap all due times of heartbeats move by it.',
        columns: { id: 'Always 1.' },
      },
    },
  },
  {
    title: 'Schedules',
    tables: {
      schedules: {
        is: 'A notification to be sent later, once or in a series. One `send-schedule` job waits for each pending row.',
        columns: {
          input: 'JSON document: the request as it was sent, composed anew at each send.',
          recurrence: 'JSON document: cron expression, time zone, bounds; null for a single send.',
          status: '`scheduled`, `sent`, `canceled` or `failed`.',
          send_at: 'The next moment it is due.',
          occurrence: 'How many notifications of the series have been sent.',
          paused: 'Whether it waits to be resumed; it then has no job.',
          notification_id: 'The newest notification that was sent.',
          sent_at: 'When the only or last one was sent.',
          delivery: 'Delivery of that notification, as `POST /notifications` reports it.',
          reason: 'Why `delivery` is what it is.',
          failure_reason: 'Why the schedule ended as `failed`.',
          ended_at: 'When it left `scheduled`; retention counts from it.',
        },
        refersTo: { key_id: 'integration_keys', notification_id: 'notifications' },
      },
      schedule_sends: {
        is: 'The notification that was sent for a due moment. Its primary key refuses a second send for the same moment.',
        columns: { due_at: 'The moment for which it was sent.' },
        refersTo: { notification_id: 'notifications' },
      },
    },
  },
  {
    title: 'Widgets',
    tables: {
      widgets: {
        is: 'A widget of an account, addressed by its slug.',
        columns: {
          content: 'JSON document: the members of its template.',
          push_throttle_seconds: 'Shortest time between two reload pushes; null for the default.',
          stale_after_seconds: 'Age at which devices show it as out of date; null for never.',
          last_pushed_at: 'Start of the current throttle window; taken by a conditional update.',
        },
      },
    },
  },
  {
    title: 'Activities',
    tables: {
      activities: {
        is: 'A live activity of an account, addressed by its slug.',
        columns: {
          state: '`ongoing`, `ended` or `preempted` (another activity took its place).',
          state_at: 'When `state` last changed; an ongoing activity ends eight hours later.',
          run: 'Number of starts. A device that shows a lower run must be started again.',
          priority: 'The activity with the lowest priority is preempted when a sixth one starts.',
          content: 'JSON document: the members of its template.',
          ended_ttl_seconds: 'Deleted this long after it ended; null for never.',
          stale_ttl_seconds: 'Ends by itself when it was not changed for this long; null for never.',
          dismissal_ttl_seconds: 'Devices remove an ended activity from the screen after this long.',
          ended_at: 'When it ended for the first time.',
          delete_at: 'When it will be deleted, from `ended_ttl_seconds`.',
          alert_sound: 'Sound of the last change that plays one.',
          alert_version: 'The `updated_at` of that change: a device plays the sound only with this version.',
          clock_at: 'When its `tick-activity` job is due: the next change that happens without a request.',
          recorded: 'Number of the newest row in `activity_records`.',
          target:
            'Of an organization: JSON with the ids of groups, tags and members that it reaches, and the names that clients see. Null if a person owns the activity.',
          push_version: 'The `updated_at` that `push_timestamp` was given to.',
          push_timestamp:
            'APNs timestamp in epoch seconds. Grows with every pushed version, even if the clock steps back: devices ignore an older one.',
          updated_at: 'Moves with every change; the version that devices are brought up to.',
        },
      },
      activity_records: {
        is: 'A point of a timeline or a line of a log, so that a change writes one row instead of the whole history.',
        columns: {
          number: 'Counts from 1 within the activity.',
          body: 'JSON document.',
          start_bytes:
            'Bytes of all log lines before this one, so that old lines are deleted by size without reading them; 0 for a timeline.',
          end_bytes: '`start_bytes` plus the size of this line.',
        },
      },
    },
  },
  {
    title: 'E-mail',
    tables: {
      email_recipients: {
        is: 'A person that an account may send e-mail to, once they have confirmed it.',
        columns: {
          address_key: 'The address in lower case: unique within the account.',
          confirmation_hash: 'SHA-256 of the secret in the newest confirmation link.',
          verified_at: 'When the recipient confirmed; null until then.',
          suppressed_at:
            'When the recipient unsubscribed or the address was refused for good; nothing is sent after it.',
          signs_in: '1: the person reads this address, and gets sign-in links there.',
        },
      },
      emails: {
        is: 'An e-mail that was accepted, and its outcome.',
        columns: {
          text_body: 'Null once the e-mail was sent or given up.',
          html_body: 'Null once the e-mail was sent or given up.',
          message_id: 'The `Message-ID` header: the same for every attempt.',
          status: '`queued` until an attempt decides it, then `sent`, `bounced`, `failed` or `suppressed`.',
          error: 'Reason of the last failed attempt.',
        },
        refersTo: { key_id: 'integration_keys', recipient_id: 'email_recipients' },
      },
    },
  },
  {
    title: 'Events and streams',
    tables: {
      feeds: {
        is: 'One row per account that every change of its inbox or event feed locks until the commit, so that event numbers appear in order and without gaps.',
        columns: {
          last_event: 'Number of the newest event.',
          unread: 'Unread notifications.',
          inbox_bytes: 'Sum of `notifications.bytes`.',
        },
      },
      events: {
        is: 'An event that `GET /events` delivers. `number` is the `Last-Event-ID`.',
        columns: { type: 'Such as `notification.created`.', data: 'JSON document.' },
      },
      event_streams: {
        is: 'An open event stream on any node, as a lease: counted against the limit of the account, and read by a send that waits for a device without a push channel.',
        columns: {
          node: 'The process that holds the connection and renews the lease.',
          device_id:
            'The device that reads the stream, if it said so. No foreign key: deleting the device must not take its open stream out of the count.',
          begins_after: 'The stream delivers every event with a higher number.',
          written: 'Number of the newest event that was written to the connection.',
          expires_at: 'End of the lease.',
        },
        refersTo: { device_id: 'devices' },
      },
    },
  },
  {
    title: 'Jobs and nodes',
    tables: {
      jobs: {
        is: 'Work that must happen later, enqueued in the transaction of the change that causes it.',
        columns: {
          kind: 'Selects the function that runs it.',
          key: 'While a job with this key waits, a second one is coalesced into it. Claiming sets it to null.',
          payload: 'JSON document of ids, not of content.',
          run_at: 'When it is due; while it is claimed, the end of the lease.',
          attempt:
            'Number of claims, and the fencing token: a node with an older number can neither settle nor postpone the job.',
          failures:
            'Claims since a run last succeeded, which decide on the delay of a retry and when the job is given up. A claim raises it, because a node that dies cannot.',
          accepted_at:
            'When the change was accepted that the job carries to the members of an organization in steps; null for all other kinds.',
        },
      },
      channel_nodes: {
        is: 'When a node that can use a push channel was last seen. Nodes without the APNs key leave its jobs to such a node.',
        columns: { channel: '`apns`.' },
      },
      rate_counters: {
        is: 'Requests per client address and window, added up from all nodes.',
        columns: { address: 'IP address of the client.', window_start: 'Start of the minute.' },
      },
      retention_clock: {
        is: 'One row: when retention last ran. A clock that leaps ahead must not empty inboxes.',
        columns: { id: 'Always 1.', trusted_from: 'Nothing is deleted by age before this time.' },
      },
      demos: {
        is: 'The running demonstration of an account.',
        columns: {
          mode: '`auto` (the server plays the steps) or `manual`.',
          step: 'The step to be played next.',
          ends_at: 'When another demonstration may begin, however this one went.',
        },
        refersTo: { notification_id: 'notifications' },
      },
      server_secrets: {
        is: 'Signing key and VAPID keys, shared by all nodes on PostgreSQL. With SQLite they are files in the data folder.',
        columns: {},
      },
      migrations: {
        is: 'The migrations that were applied to this database.',
        columns: {},
      },
    },
  },
]
