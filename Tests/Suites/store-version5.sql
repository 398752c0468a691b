PRAGMA page_size = 1024; PRAGMA application_id = 1347633998; PRAGMA user_version = 5;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE store(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch INTEGER NOT NULL, -- begun by the last load
  openings INTEGER NOT NULL,
  is_restoring INTEGER NOT NULL,
  key_check BLOB, -- recognises the application key
  next_key_check BLOB, -- the key that is being changed to
  created_at INTEGER NOT NULL,
  checksum INTEGER NOT NULL
);
INSERT INTO store VALUES(1,1,1,0,X'0d0a772e7f4af6b2116e5580de9cd10f',NULL,1795792404,-8583537612237503365);
CREATE TABLE configuration(
  number INTEGER PRIMARY KEY, role TEXT NOT NULL, name TEXT, delegate_class TEXT,
  scene_class TEXT, manifest_revision TEXT
);
INSERT INTO configuration VALUES(1,'windowApplication','Main',NULL,NULL,NULL);
INSERT INTO configuration VALUES(2,'windowApplication','Other',NULL,NULL,NULL);
CREATE TABLE session(
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE, -- 16 bytes
  configuration INTEGER NOT NULL,
  group_name TEXT, title TEXT, subtitle TEXT,
  can_activate TEXT, prefers TEXT, -- predicates; NULL for the defaults
  destruction INTEGER NOT NULL, -- 1: dismissal by the user, 2: disconnection by the system
  last_activated INTEGER NOT NULL, -- a counter
  epoch INTEGER NOT NULL, -- of the last change
  is_discarded INTEGER NOT NULL, -- while no application was running
  next_wake INTEGER, -- in milliseconds since 1970
  created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL,
  version INTEGER NOT NULL, -- of the saved state; 0 for none
  key BLOB, -- the session's, under the application key; NULL if there was none
  code BLOB -- of everything before, under the session's key
);
INSERT INTO session VALUES(1,X'e220a8397b1dcdaf6e789e6aa1b965f4',1,NULL,NULL,NULL,NULL,NULL,0,0,1,0,NULL,1795792404,1795792404,0,X'ed83cd94bf8fda648e20dd7f4926c703c91ca8eb7b45655fd4663f6f85759dec8a205cbdadda431f',X'c50f01ba29d9416b1cac2368d0731a41');
INSERT INTO session VALUES(2,X'910a2dec89025cc1beeb8da1658eec67',1,NULL,'title 1',NULL,NULL,NULL,0,7,1,0,NULL,1795792404,1795792404,1099511627777,X'c7ed42fabc0a792a2c73bff3dc5a13b5929833161f98a7c8a9b6d49095219f43a16c8b3c57dc10d5',X'12cc7fbcbf27cf8ed26e0614810b57b5');
INSERT INTO session VALUES(3,X'975835de1c9756cebfc846100bfc1e42',1,NULL,'title 2',NULL,NULL,NULL,0,9,1,0,4000000000000,1795792404,1795792404,1099511627778,X'8fcdaf6979a35e528b0f8d901067d27c00629892cc1fc5bf07dce9e235bb2844daf576cdc1312889',X'dc75246aa68acb4183ea827a05e8d54b');
INSERT INTO session VALUES(4,X'1d0b14e4db018fedb3466f8a7b81a989',2,'g','title 3',NULL,'SELF BEGINSWITH "a"',NULL,0,0,1,0,NULL,1795792404,1795792404,1099511627779,X'97fedd33d5a3485f48a23758a1c97322ec608fba8a78aa187f5e56ffc23481c4c48490039f9a6601',X'bc559953b0e94c9b9d739ac7ce4321ee');
INSERT INTO session VALUES(5,X'6e73e372e2338acae474c66a4b98b030',1,NULL,'title 4',NULL,NULL,NULL,0,0,1,1,NULL,1795792404,1795792404,0,NULL,NULL);
INSERT INTO session VALUES(6,X'63033b0ca389c35ac097314d939736f8',1,NULL,'title 5',NULL,NULL,NULL,0,0,1,0,NULL,1795792404,1795792404,0,X'5757e75b149820924431d70d2e51f8d960ad9a83990320c51e7038447eb01cf7a1fc58f3e592f287',X'ef5eb5f91487b3f96e58c30ea1b79098');
CREATE TABLE state(
  session INTEGER PRIMARY KEY,
  sealed BLOB -- the version and the sealed state; NULL for none
);
INSERT INTO state VALUES(1,NULL);
INSERT INTO state VALUES(2,X'01000000000100000c825ea52a83fe4f02015a9e787f6f6a05d58983e9bcc19fd77060224971ce66294dff20ef27505ecfbcbcb472eb5941ad37e1f4797f2a0b601a0d6fccc2');
INSERT INTO state VALUES(3,X'02000000000100000c825ea52a83fe4f02015a9e787f6f6acd25e62b447ca2b56bf1e2ed16cc284da7068f784fdcfb9f50fb789f774cefa9eb9c408b5bfc04cf81e64f0d7a9ffd27342c841170d8970876cae6ee3888abf17a441478ad08f0bb53c130de33');
INSERT INTO state VALUES(4,X'03000000000100000c825ea52a83fe4f02015a9e787f6f6a9d3c841b8fd2fc2bfa9b33a20ffd8adc45864ee9f6fdae24fe9a1b5083f9c7ccd27d31508f3e7ffd5f3e4cbd60b6');
INSERT INTO state VALUES(5,NULL);
INSERT INTO state VALUES(6,NULL);
CREATE VIEW session_list AS SELECT
  lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4)
    || '-' || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)) AS session,
  configuration.role AS role, configuration.name AS configuration, group_name, title, subtitle,
  ifnull(can_activate, 'TRUEPREDICATE') AS can_activate,
  ifnull(prefers, 'FALSEPREDICATE') AS prefers,
  destruction, last_activated, epoch, is_discarded,
  datetime(next_wake / 1000, 'unixepoch') AS next_wake,
  datetime(created_at, 'unixepoch') AS created, datetime(changed_at, 'unixepoch') AS changed
FROM session LEFT JOIN configuration ON configuration.number = session.configuration;
COMMIT;
