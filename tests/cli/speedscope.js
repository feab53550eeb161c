// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads a file by the importer of speedscope (https://www.speedscope.app, npm package "speedscope"):
//
//	node speedscope.js PACKAGE FILE UNITS
//
// and prints what it made of it: a stack and its weight per line, in UNITS per one of the importer's.
//
//	profile;caller;...;function 12
//
// The package contains the web application only, as one script. Its importer is taken out of that: the
// script runs without a browser, with an object that accepts everything in place of the document, up to
// where it would show its first page.
'use strict';

const fs = require('fs');
const path = require('path');
const vm = require('vm');

function loadImporter(folder) {
	const release = path.join(folder, 'dist', 'release');
	const name = fs.readdirSync(release).find((file) => /^speedscope-\w+\.js$/.test(file));
	const code = fs.readFileSync(path.join(release, name), 'utf8');
	// what the application calls for a file named in its URL
	const importer = /loadFileFromBase64:\((\w+),(\w+)\)=>\{this\.loadProfile\(\(\)=>(\w+)\(\1,\2\)\)/.exec(code);
	const firstPage = code.lastIndexOf('console.log(`speedscope v');

	if (!importer || firstPage < 0)
		throw new Error(`${name}: its importer was not found`);
	const anything = new Proxy(function () {}, {
		get: (target, key) => key === Symbol.toPrimitive ? () => '' :
			key === 'prototype' ? target.prototype : anything,
		apply: () => anything,
		construct: () => anything,
		set: () => true,
	});
	const context = {
		window: anything, document: anything, localStorage: anything, matchMedia: anything,
		requestAnimationFrame: anything, navigator: { userAgent: 'node' },
		location: { hash: '', protocol: 'file:' }, console: { log() {}, warn() {}, error: console.error },
		setTimeout, clearTimeout, TextDecoder, TextEncoder, URL, URLSearchParams, performance, atob, btoa,
	};
	context.self = context;
	vm.createContext(context);
	vm.runInContext(`${code.slice(0, firstPage)}globalThis.importFile=${importer[3]};})();`, context);
	return context.importFile;
}

function stackOf(node) {
	const names = [];

	for (; node && !node.isRoot(); node = node.parent)
		names.unshift(node.frame.name);
	return names;
}

async function main(folder, file, units) {
	const group = await loadImporter(folder)(path.basename(file), fs.readFileSync(file).toString('base64'));
	const stacks = new Map();

	if (!group)
		throw new Error(`${file}: not recognized`);
	for (const profile of group.profiles)
		profile.samples.forEach((node, i) => {
			// a file of several profiles has a name for each
			const names = group.profiles.length > 1 ? [profile.getName()] : [];
			const stack = names.concat(stackOf(node)).join(';');

			stacks.set(stack, (stacks.get(stack) || 0) + profile.weights[i]);
		});
	for (const [stack, weight] of stacks)
		console.log(`${stack} ${Math.round(weight * units)}`);
}

main(process.argv[2], process.argv[3], Number(process.argv[4])).catch((error) => {
	console.error(String(error.message).slice(0, 500));
	process.exit(1);
});
