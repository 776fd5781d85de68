// SPDX-License-Identifier: GPL-3.0-or-later
// Read by moc only, before each header: moc 6.4 stumbles over attributes behind "namespace std" in libstdc++.
#define _GLIBCXX_VISIBILITY(V)
